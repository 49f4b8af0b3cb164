package dev.nonbis.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What carries work to the workers. */
public sealed interface BusUrl {

    /** A table of the same store. */
    record Embedded() implements BusUrl {}

    /** NATS JetStream, on any of the servers of one cluster. */
    record Nats(List<String> servers, NatsOptions options) implements BusUrl {

        public Nats {
            servers = List.copyOf(servers);
        }
    }

    /**
     * How to talk to the broker, and how it keeps messages.
     *
     * @param credentials a file with a user's JWT and seed
     * @param replicas on how many servers of the cluster each message stands
     * @param inboxPrefix below which the broker answers this server
     */
    record NatsOptions(
            Optional<Path> credentials,
            Optional<BrokerTls> tls,
            int replicas,
            Dedup dedup,
            String inboxPrefix,
            NatsApiOptions api) {

        public static final NatsOptions DEFAULTS =
                new NatsOptions(Optional.empty(), Optional.empty(), 1, Dedup.WINDOW, "_INBOX", NatsApiOptions.DEFAULTS);
    }

    /**
     * How the API is answered over NATS.
     *
     * @param servers as the bus's; none: the bus's own
     * @param credentials for these servers; none: the bus's own
     * @param inboxes below which answers may go: what jnats and most other clients use, and the same for one tenant alone
     */
    record NatsApiOptions(List<String> servers, Optional<Path> credentials, List<String> inboxes) {

        public static final NatsApiOptions DEFAULTS =
                new NatsApiOptions(List.of(), Optional.empty(), List.of("_INBOX", "_INBOX_{tenant}"));

        public NatsApiOptions {
            servers = List.copyOf(servers);
            inboxes = List.copyOf(inboxes);
        }
    }

    /** Whom to trust, and who we are when the broker asks; PEM files. */
    record BrokerTls(Optional<Path> ca, Optional<Path> cert, Optional<Path> key) {}

    /** How the broker recognises a repeated publish. */
    enum Dedup {
        WINDOW,
        STREAM
    }
}
