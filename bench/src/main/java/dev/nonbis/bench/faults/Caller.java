package dev.nonbis.bench.faults;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** A client of one tenant on one connection, which is opened again when it was lost. All it says and hears is written down. */
public final class Caller implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final InetSocketAddress address;
    private final String tenant;
    private final Recorder recorder;
    private Optional<HttpConnection> connection = Optional.empty();

    public Caller(InetSocketAddress address, String tenant, Recorder recorder) {
        this.address = address;
        this.tenant = tenant;
        this.recorder = recorder;
    }

    public String tenant() {
        return tenant;
    }

    /** Sends it once; empty when nobody knows what came of it. */
    public Optional<Answer> send(Call call) {
        HttpConnection open;
        try {
            open = connection.isPresent() ? connection.get() : HttpConnection.open(address, PATIENCE);
        } catch (IOException e) {
            // Nothing was sent.
            return Optional.empty();
        }
        connection = Optional.of(open);
        var sent = recorder.sent(tenant, call);
        try {
            var answer = open.send(call.as(Credential.forTenant(tenant).token()));
            sent.heard(answer);
            return Optional.of(answer);
        } catch (IOException e) {
            close();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try {
            if (connection.isPresent()) {
                connection.get().close();
            }
        } catch (IOException e) {
            // It is of no use any more either way.
        }
        connection = Optional.empty();
    }
}
