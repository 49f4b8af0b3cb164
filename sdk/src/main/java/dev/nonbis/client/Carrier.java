package dev.nonbis.client;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Carries one request to a server and its answer back. HTTP is one; {@code dev.nonbis.client.nats} has another. */
@FunctionalInterface
public interface Carrier {

    /**
     * Carries one request.
     *
     * @throws NotSentException when the request cannot have arrived
     * @throws IOException when nobody knows
     */
    Reply carry(Sent request) throws IOException, InterruptedException;

    /**
     * A request.
     *
     * @param path the path and query, starting with a slash, already encoded
     * @param body JSON
     */
    record Sent(String method, String path, Map<String, String> headers, Optional<String> body) {}

    /** An answer; names of headers are in lower case. */
    record Reply(int status, Map<String, String> headers, String body) {

        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
        }
    }

    /** The request did not leave. */
    final class NotSentException extends IOException {

        private static final long serialVersionUID = 1L;

        public NotSentException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
