package dev.nonbis.server.bus.nats;

import io.nats.client.Connection;
import io.nats.client.Connection.Status;
import io.nats.client.ConnectionListener;
import io.nats.client.ForceReconnectOptions;
import io.nats.client.Nats;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** One connection to the broker, made again when it is lost. There are several, so that what breaks one leaves the others. */
final class Lane implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Lane.class.getName());

    private final Plan plan;
    private final ExecutorService reader;
    private volatile @Nullable Connection connection;

    /** What a lane is for. */
    record Plan(
            String name,
            NatsSettings settings,
            List<String> servers,
            ConnectionListener listener,
            Beginning beginning) {}

    /** What is done on each new connection before it is used. */
    @FunctionalInterface
    interface Beginning {

        void on(Connection connection) throws IOException;
    }

    Lane(Plan plan) {
        this.plan = plan;
        this.reader = new ReaderGuard("nats-" + plan.name(), this::readerFailed);
    }

    /** The connection, whatever state it is in. */
    Optional<Connection> current() {
        return Optional.ofNullable(connection);
    }

    /** Connects unless that was done; empty while the connection is lost and being made again. */
    synchronized Optional<Connection> connected() throws IOException, InterruptedException, GeneralSecurityException {
        var now = connection;
        if (now != null && now.getStatus() != Status.CLOSED) {
            return now.getStatus() == Status.CONNECTED ? Optional.of(now) : Optional.empty();
        }
        var made = Nats.connect(Connecting.options(plan, reader));
        try {
            plan.beginning().on(made);
            connection = made;
            return Optional.of(made);
        } catch (IOException | RuntimeException e) {
            // Otherwise it would go on connecting, and nobody would know it.
            made.close();
            throw e;
        }
    }

    // Not on the reader's own thread, for whose end connecting again waits.
    private void readerFailed(Throwable why) {
        LOG.log(
                Level.WARNING,
                "the connection for " + plan.name() + " could not read what came, and is made again",
                why);
        current()
                .ifPresent(broken -> Thread.ofVirtual().start(() -> {
                    try {
                        broken.forceReconnect(ForceReconnectOptions.FORCE_CLOSE_INSTANCE);
                    } catch (IOException e) {
                        LOG.log(Level.WARNING, "not connected again: {0}", e.getMessage());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
    }

    @Override
    public void close() {
        var now = connection;
        if (now != null) {
            try {
                now.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        reader.shutdownNow();
    }
}
