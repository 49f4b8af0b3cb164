package dev.nonbis.server.bus.nats;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an operator decided about the broker.
 *
 * @param servers addresses of one cluster, each {@code nats://} or {@code tls://}, with a user and a password where it needs one
 * @param credentials a file with a user's JWT and seed
 * @param inboxPrefix below which the broker answers us
 * @param api the connection over which the API is answered
 */
public record NatsSettings(
        List<String> servers,
        Optional<Path> credentials,
        Optional<Tls> tls,
        int replicas,
        Dedup dedup,
        Timing timing,
        String inboxPrefix,
        Api api) {

    /** The prefix of every client that is not given another. */
    public static final String SHARED_INBOX = "_INBOX";

    public NatsSettings {
        servers = List.copyOf(servers);
    }

    public static NatsSettings of(String server) {
        return new NatsSettings(
                List.of(server),
                Optional.empty(),
                Optional.empty(),
                1,
                Dedup.WINDOW,
                Timing.DEFAULTS,
                SHARED_INBOX,
                Api.SAME);
    }

    public NatsSettings with(Timing other) {
        return new NatsSettings(servers, credentials, tls, replicas, dedup, other, inboxPrefix, api);
    }

    public NatsSettings with(Dedup other) {
        return new NatsSettings(servers, credentials, tls, replicas, other, timing, inboxPrefix, api);
    }

    public NatsSettings with(Optional<Path> otherCredentials, Optional<Tls> otherTls) {
        return new NatsSettings(servers, otherCredentials, otherTls, replicas, dedup, timing, inboxPrefix, api);
    }

    public NatsSettings withReplicas(int other) {
        return new NatsSettings(servers, credentials, tls, other, dedup, timing, inboxPrefix, api);
    }

    /** What the connection of the API has that the bus has not. */
    NatsSettings forApi() {
        return new NatsSettings(
                api.servers().isEmpty() ? servers : api.servers(),
                api.credentials().or(() -> credentials),
                tls,
                replicas,
                dedup,
                timing,
                inboxPrefix,
                Api.SAME);
    }

    /** Where the API is answered: no servers and no credentials stand for those of the bus. */
    public record Api(List<String> servers, Optional<Path> credentials) {

        public static final Api SAME = new Api(List.of(), Optional.empty());

        public Api {
            servers = List.copyOf(servers);
        }
    }

    /** Whom to trust, and who we are when the broker asks; PEM files. */
    public record Tls(Optional<Path> ca, Optional<Path> cert, Optional<Path> key) {}

    /** How the broker recognises a repeated publish. */
    public enum Dedup {
        /** By its name, for two minutes. */
        WINDOW,
        /** By a subject of its own, which may hold one message, for as long as the stream exists. */
        STREAM
    }

    /**
     * The times of the contract, which only a test has a reason to shorten.
     *
     * @param window how long the broker recognises a name
     * @param maxAge how long it keeps a message
     * @param redelivery after how long a message comes back that was taken and not settled
     * @param ack how long to wait for the broker's word on a publish; shorter than an intent belongs to its owner
     * @param compare how often consumers are compared with what they have to be
     */
    public record Timing(Duration window, Duration maxAge, Duration redelivery, Duration ack, Duration compare) {

        public static final Timing DEFAULTS = new Timing(
                Duration.ofMinutes(2),
                Duration.ofDays(7),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofMinutes(1));

        public Timing(Duration window, Duration maxAge, Duration redelivery, Duration ack) {
            this(window, maxAge, redelivery, ack, DEFAULTS.compare());
        }
    }
}
