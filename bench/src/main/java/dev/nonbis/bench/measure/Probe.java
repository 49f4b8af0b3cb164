package dev.nonbis.bench.measure;

import dev.nonbis.bench.process.Metrics;
import dev.nonbis.bench.process.ProcessFacts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Reads counters around a phase; what cannot be read (a server on another machine) is left out of the report. */
public record Probe(Optional<Long> serverPid, Optional<InetSocketAddress> management) {

    /** Everything that is read at one instant. */
    record Reading(Optional<Metrics> metrics, Optional<ProcessFacts> server, ProcessFacts generator) {}

    Reading read() throws IOException {
        return new Reading(
                management.isPresent() ? Optional.of(Metrics.read(management.get())) : Optional.empty(),
                serverFacts(),
                ProcessFacts.ofThisProcess());
    }

    public Optional<ProcessFacts> serverFacts() {
        return serverPid.map(ProcessFacts::of);
    }
}
