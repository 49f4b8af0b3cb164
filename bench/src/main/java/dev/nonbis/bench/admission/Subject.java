package dev.nonbis.bench.admission;

import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.measure.Probe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;

/** The server that is measured: our own child process, or one that somebody else runs. */
public record Subject(InetSocketAddress api, AdmissionTraffic.Client client, Optional<Child> child) {

    /** What can be known only of a server that we started. */
    public record Child(long pid, InetSocketAddress management, Storage storage, String description) {}

    /** Says how many bytes the store takes. */
    @FunctionalInterface
    public interface Storage {
        long bytes() throws IOException;
    }

    String description() {
        return child.map(Child::description).orElse("http://" + host());
    }

    AdmissionTraffic traffic() {
        return new AdmissionTraffic(host(), client);
    }

    Probe probe() {
        return new Probe(child.map(Child::pid), child.map(Child::management));
    }

    OptionalDouble storeMib() throws IOException {
        return child.isPresent()
                ? OptionalDouble.of(child.get().storage().bytes() / 1048576.0)
                : OptionalDouble.empty();
    }

    /** A server that was not started for benches has no such path; ratios are left out then. */
    boolean offersNoop() throws IOException {
        var call =
                Call.post("/api/v1/noop", "{}".getBytes(StandardCharsets.UTF_8)).as(client.token());
        return HttpConnection.once(api, call).status() == 200;
    }

    private String host() {
        return api.getHostString() + ":" + api.getPort();
    }
}
