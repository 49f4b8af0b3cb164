package dev.nonbis.server.bus.nats;

import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.server.bus.nats.Streams.Mismatch;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the broker: one that publishes and looks after streams, one that pulls, one that answers the API. What is said of
 * trouble is said of the first.
 *
 * <pre>
 *   away ──connected──▶ checking ──streams are as they have to be──▶ ready
 *    ▲                     ▲                                          │
 *    └──connection lost────┴──a publish failed, a second has passed───┘
 * </pre>
 *
 * Each check compares the stream of jobs with what is known of it. One that was made anew, or that ends before a message that the
 * broker had confirmed, has lost messages.
 */
final class Link implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Link.class.getName());

    private static final String OLDEST_SERVER = "2.9.0";

    private final NatsSettings settings;
    private final Streams streams;
    private final Hearer hearer;
    private final AtomicLong lastConfirmed = new AtomicLong();
    private volatile Optional<String> trouble = Optional.of("not connected yet");
    private final Lane publishing;
    private final Lane pulling;
    private final Lane api;
    private volatile @Nullable Broker broker;
    private volatile boolean closed;
    // Only the thread that watches changes these.
    private volatile Optional<ZonedDateTime> madeAt = Optional.empty();
    private boolean lossToTell;
    private long lastCompared;

    Link(NatsSettings settings, Streams streams, Hearer hearer) {
        this.settings = settings;
        this.streams = streams;
        this.hearer = hearer;
        this.publishing =
                lane("publishing", settings, (c, event) -> heard(event), connection -> broker = broker(connection));
        this.pulling = lane("pulling", settings, (c, event) -> {}, this::listen);
        this.api = lane("the API", settings.forApi(), (c, event) -> {}, hearer::connected);
    }

    private static Lane lane(
            String name, NatsSettings settings, ConnectionListener listener, Lane.Beginning beginning) {
        return new Lane(new Lane.Plan(name, settings, settings.servers(), listener, beginning));
    }

    /** Hears what happens on the other side. */
    interface Hearer {

        /** The API can be answered over this connection. */
        void connected(Connection connection);

        void published(String subject);

        void changed();

        /** The streams are as they have to be; now and then the consumers are compared too. */
        void compare(JetStreamManagement broker) throws IOException, JetStreamApiException;

        void lost();
    }

    /** A connection and what is done through it. */
    record Broker(Connection connection, JetStream publisher, JetStreamManagement management) {}

    Optional<String> trouble() {
        return trouble;
    }

    /**
     * The broker.
     *
     * @throws BusUnavailable when it is not ready
     */
    Broker ready() {
        var now = broker;
        if (now == null || trouble.isPresent()) {
            throw new BusUnavailable(Fate.DID_NOT_HAPPEN, trouble.orElse("not connected yet"));
        }
        return now;
    }

    /** The connection that messages are pulled over and settled on, whatever state it is in. */
    Optional<Connection> pulling() {
        return pulling.current();
    }

    /** Which of all streams of this name it is: when it was made. */
    String age() {
        return madeAt.map(ZonedDateTime::toString).orElse("");
    }

    /** The broker has this message and all before it. */
    void confirmed(long sequence) {
        lastConfirmed.accumulateAndGet(sequence, Math::max);
    }

    /** Something that should have worked did not: nothing more is sent until the next look says that all is well. */
    void suspect(String why) {
        if (trouble.isEmpty()) {
            trouble(why);
            hearer.changed();
        }
    }

    /**
     * One look: connects if needed, makes or checks the streams, tells of losses.
     *
     * @throws Mismatch when the broker or a stream is not as it has to be
     */
    synchronized void watch() {
        if (closed) {
            return;
        }
        try {
            var now = connected();
            if (now.isPresent()) {
                check(now.get());
                beside(pulling);
                beside(api);
            }
        } catch (IOException | JetStreamApiException | GeneralSecurityException | IllegalStateException e) {
            // The library throws the last of these when the connection ends in the middle of a call.
            trouble("the broker does not answer: " + e.getMessage());
        } catch (Mismatch e) {
            trouble(String.valueOf(e.getMessage()));
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (lossToTell && trouble.isEmpty()) {
            hearer.lost();
            lossToTell = false;
        }
    }

    private Optional<Broker> connected() throws IOException, InterruptedException, GeneralSecurityException {
        if (publishing.connected().isEmpty()) {
            trouble("the connection to the broker is lost");
            return Optional.empty();
        }
        return Optional.ofNullable(broker);
    }

    // While one of these is lost, the other and the bus go on.
    private void beside(Lane lane) throws InterruptedException {
        try {
            lane.connected();
        } catch (IOException | GeneralSecurityException | IllegalStateException e) {
            LOG.log(Level.WARNING, "the broker lets us publish and no more: {0}", e.getMessage());
        }
    }

    private void listen(Connection connection) {
        connection
                .createDispatcher(message -> hearer.published(message.getSubject()))
                .subscribe(Subjects.ALL_JOBS);
    }

    private Broker broker(Connection connection) throws IOException {
        if (settings.inboxPrefix().equals(NatsSettings.SHARED_INBOX)
                && connection.getServerInfo().isAuthRequired()) {
            LOG.log(
                    Level.WARNING,
                    "bus.inbox_prefix is _INBOX, below which other users of the broker may listen too: they then hear what the "
                            + "broker answers to this server");
        }
        var options = JetStreamOptions.builder()
                .requestTimeout(settings.timing().ack())
                .build();
        return new Broker(connection, connection.jetStream(options), connection.jetStreamManagement(options));
    }

    private static void refuseIfOld(Connection connection) {
        var server = connection.getServerInfo();
        if (!server.isSameOrNewerThanVersion(OLDEST_SERVER)) {
            throw new Mismatch("the broker is NATS " + server.getVersion() + "; 2.9 is the oldest that works");
        }
    }

    private void check(Broker broker) throws IOException, JetStreamApiException {
        refuseIfOld(broker.connection());
        // Before the stream is looked at: what is confirmed meanwhile may be missing in the answer.
        long confirmed = lastConfirmed.get();
        var found = streams.ensure(broker.management());
        var made = found.info().getCreateTime();
        long last = found.info().getStreamState().getLastSequence();
        boolean isAnother = madeAt.isPresent() && !madeAt.get().equals(made);
        if (found.isNew() || isAnother || last < confirmed) {
            LOG.log(
                    madeAt.isEmpty() ? Level.INFO : Level.WARNING,
                    "the broker has a new or shorter stream; what waits for a worker is published again");
            lossToTell = true;
            lastConfirmed.set(last);
        }
        madeAt = Optional.of(made);
        long now = System.nanoTime();
        if (lastCompared == 0
                || now - lastCompared >= settings.timing().compare().toNanos()) {
            hearer.compare(broker.management());
            lastCompared = now;
        }
        if (trouble.isPresent()) {
            trouble = Optional.empty();
            LOG.log(Level.INFO, "the broker is ready");
            hearer.changed();
        }
    }

    private void heard(Events event) {
        switch (event) {
            case DISCONNECTED, CLOSED -> {
                if (!closed) {
                    trouble("the connection to the broker is lost");
                }
            }
            case RECONNECTED -> hearer.changed();
            case CONNECTED, RESUBSCRIBED, DISCOVERED_SERVERS, LAME_DUCK -> {}
        }
    }

    private void trouble(String why) {
        if (!trouble.equals(Optional.of(why))) {
            trouble = Optional.of(why);
            LOG.log(Level.WARNING, "the bus waits: {0}", why);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        trouble = Optional.of("closed");
        api.close();
        pulling.close();
        publishing.close();
    }
}
