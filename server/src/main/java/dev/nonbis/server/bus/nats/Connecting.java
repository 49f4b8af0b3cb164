package dev.nonbis.server.bus.nats;

import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;

/** How we connect: for ever again, and with no buffer that could grow while the broker is away. */
final class Connecting {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int MAX_WAITING_TO_BE_SENT = 5000;

    private Connecting() {}

    static Options options(Lane.Plan plan, ExecutorService reader) throws IOException, GeneralSecurityException {
        var settings = plan.settings();
        var options = new Options.Builder()
                .servers(plan.servers().toArray(String[]::new))
                .connectionName("nonbis " + plan.name())
                .inboxPrefix(settings.inboxPrefix())
                .dataPortType(FilteredSocket.class.getName())
                .readerExecutor(reader)
                .connectionTimeout(TIMEOUT)
                .maxReconnects(-1)
                .reconnectWait(PAUSE)
                .reconnectJitter(PAUSE.dividedBy(2))
                .pingInterval(Duration.ofSeconds(10))
                // A publish while the broker is away fails at once: the store keeps what has to be sent, not this
                // process.
                .reconnectBufferSize(0)
                .maxMessagesInOutgoingQueue(MAX_WAITING_TO_BE_SENT)
                .connectionListener(plan.listener())
                .errorListener(new Problems(plan.name()));
        settings.credentials().ifPresent(file -> options.authHandler(Nats.credentials(file.toString())));
        if (settings.tls().isPresent()) {
            options.sslContext(PemTls.context(settings.tls().get()));
        }
        return options.build();
    }
}
