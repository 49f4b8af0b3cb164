package dev.nonbis.bench.measure;

import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.process.ProcessFacts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The server that is measured: our own child process, or one that somebody else runs. */
public record Subject(InetSocketAddress api, String token, Optional<Child> child) {

    /** What can be known only of a server that we started. */
    public record Child(long pid, InetSocketAddress management, Storage storage, String description) {}

    /** Says how many bytes the store takes. */
    @FunctionalInterface
    public interface Storage {
        long bytes() throws IOException;
    }

    public String description() {
        return child.map(Child::description).orElse("http://" + host());
    }

    public Probe probe() {
        return new Probe(child.map(Child::pid), child.map(Child::management));
    }

    private OptionalDouble storeMib() throws IOException {
        return child.isPresent()
                ? OptionalDouble.of(child.get().storage().bytes() / 1048576.0)
                : OptionalDouble.empty();
    }

    /** What the server takes by now. */
    public Report.Footprint footprint() throws IOException {
        var facts = probe().serverFacts();
        return new Report.Footprint(
                mib(facts.map(ProcessFacts::residentKib).orElse(OptionalLong.empty())),
                mib(facts.map(ProcessFacts::peakResidentKib).orElse(OptionalLong.empty())),
                storeMib());
    }

    private static OptionalDouble mib(OptionalLong kib) {
        return kib.isPresent() ? OptionalDouble.of(kib.getAsLong() / 1024.0) : OptionalDouble.empty();
    }

    /**
     * A server that was not started for benches has no no-op; ratios are left out then. Our own child has to offer it: without it the
     * ratios, and with them the targets, would silently be missing.
     */
    public boolean offersNoop() throws IOException {
        var call =
                Call.post("/api/v1/noop", "{}".getBytes(StandardCharsets.UTF_8)).as(token);
        boolean offered = HttpConnection.once(api, call).status() == 200;
        if (!offered && child.isPresent()) {
            throw new IOException("the server offers no no-op to compare with");
        }
        return offered;
    }

    public String host() {
        return api.getHostString() + ":" + api.getPort();
    }
}
