package dev.nonbis.server;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.DeadLetters;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.PublishAgain;
import dev.nonbis.core.store.Store;
import dev.nonbis.server.api.LongPoll;
import dev.nonbis.server.bus.nats.NatsBus;
import dev.nonbis.server.bus.nats.NatsSettings;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.BusUrl;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.http.nats.Inboxes;
import dev.nonbis.server.http.nats.NatsApi;
import io.nats.client.Connection;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The bus that the configuration names, and what the server does when a broker has something to tell. */
final class ChosenBus implements AutoCloseable {

    private final Bus bus;
    private final BrokerEvents events = new BrokerEvents();

    private ChosenBus(Config config, Store store, InstantSource clock) {
        this.bus = switch (config.bus()) {
            case BusUrl.Embedded() -> new EmbeddedBus(store, clock);
            case BusUrl.Nats nats -> new NatsBus(settings(nats), events);
        };
    }

    static ChosenBus of(Config config, Store store, InstantSource clock) {
        return new ChosenBus(config, store, clock);
    }

    /** Where answers over the broker may go. */
    static Inboxes inboxes(Config config) {
        return switch (config.bus()) {
            case BusUrl.Embedded() -> new Inboxes(List.of(), NatsSettings.SHARED_INBOX);
            case BusUrl.Nats(var servers, var options) ->
                new Inboxes(options.api().inboxes(), options.inboxPrefix());
        };
    }

    Bus bus() {
        return bus;
    }

    Optional<NatsBus> nats() {
        return bus instanceof NatsBus nats ? Optional.of(nats) : Optional.empty();
    }

    /**
     * Looks at the broker for the first time. One that is away is no reason not to start: admission needs no bus, and the loops connect
     * when it is back.
     *
     * @throws StartRefused when the broker or its streams are not as they have to be
     */
    void connect(DispatchPorts ports, LongPoll polls, NatsApi api) {
        events.tell(ports, polls, api);
        nats().ifPresent(nats -> {
            try {
                nats.watch();
            } catch (IllegalArgumentException e) {
                nats.close();
                throw new StartRefused(
                        String.valueOf(e.getMessage()),
                        "change the broker or its stream, or the configuration of the bus");
            }
        });
    }

    /** Calls this whenever the broker went or came. */
    void onChange(Runnable action) {
        events.changed = action;
    }

    @Override
    public void close() {
        nats().ifPresent(NatsBus::close);
    }

    private static NatsSettings settings(BusUrl.Nats nats) {
        var options = nats.options();
        return new NatsSettings(
                nats.servers(),
                options.credentials(),
                options.tls().map(tls -> new NatsSettings.Tls(tls.ca(), tls.cert(), tls.key())),
                options.replicas(),
                switch (options.dedup()) {
                    case WINDOW -> NatsSettings.Dedup.WINDOW;
                    case STREAM -> NatsSettings.Dedup.STREAM;
                },
                NatsSettings.Timing.DEFAULTS,
                options.inboxPrefix(),
                new NatsSettings.Api(options.api().servers(), options.api().credentials()));
    }

    /** Told what to do once there is somebody who can do it; before that there is nothing that a broker could tell. */
    private static final class BrokerEvents implements NatsBus.Events {

        private volatile Optional<Doers> doers = Optional.empty();
        private volatile Runnable changed = () -> {};

        private record Doers(
                DispatchPorts ports, LongPoll polls, NatsApi api, PublishAgain again, DeadLetters letters) {}

        void tell(DispatchPorts ports, LongPoll polls, NatsApi api) {
            doers = Optional.of(new Doers(ports, polls, api, new PublishAgain(ports), new DeadLetters(ports)));
        }

        @Override
        public void news(TenantId tenant, String topic) {
            doers.ifPresent(doing -> doing.polls().news(new DepthKey(tenant, topic), 1));
        }

        @Override
        public void connected(Connection connection) {
            doers.ifPresent(doing -> doing.api().listen(connection));
        }

        @Override
        public void changed() {
            changed.run();
        }

        @Override
        public void lost() {
            doers.orElseThrow().again().run();
        }

        @Override
        public void unreadable(NatsBus.Unreadable message) {
            var doing = doers.orElseThrow();
            doing.letters()
                    .keep(DeadLetter.unreadable(
                            message.tenant(),
                            message.topic(),
                            message.place(),
                            message.bytes(),
                            doing.ports().ports().clock().instant()));
        }
    }
}
