package dev.nonbis.client.nats;

import dev.nonbis.client.Carrier;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;

/** Requests over NATS. The credential travels as a header, as it does over HTTP: use TLS where others can listen. */
public final class NatsCarrier implements Carrier {

    private static final String SUBJECT = "nonbis.api";

    private final Connection connection;
    private final Duration requestTimeout;

    /** Over a connection that stays the caller's to close. */
    public NatsCarrier(Connection connection, Duration requestTimeout) {
        this.connection = connection;
        this.requestTimeout = requestTimeout;
    }

    /**
     * The prefix below which the server answers callers of this tenant and nobody else: give it to the connection's options, and let no
     * other user of the broker subscribe to it.
     */
    public static String inboxPrefix(String tenant) {
        return "_INBOX_" + tenant;
    }

    @Override
    public Reply carry(Sent request) throws IOException, InterruptedException {
        var headers = new Headers().add("Nonbis-Method", request.method()).add("Nonbis-Path", request.path());
        request.headers().forEach(headers::add);
        byte[] body = request.body().orElse("").getBytes(StandardCharsets.UTF_8);
        Message answer;
        try {
            answer = connection.request(SUBJECT, headers, body, requestTimeout);
        } catch (IllegalStateException e) {
            throw new NotSentException("no connection to the broker", e);
        }
        if (answer == null) {
            throw new IOException("no answer within " + requestTimeout + ", or no server to answer");
        }
        return reply(answer);
    }

    private static Reply reply(Message answer) throws IOException {
        var headers = new HashMap<String, String>();
        if (answer.hasHeaders()) {
            answer.getHeaders().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        }
        var status = headers.get("nonbis-status");
        if (status == null) {
            throw new IOException("the answer is not one of Nonbis");
        }
        return new Reply(Integer.parseInt(status), headers, new String(answer.getData(), StandardCharsets.UTF_8));
    }
}
