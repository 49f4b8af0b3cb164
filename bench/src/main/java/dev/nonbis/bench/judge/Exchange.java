package dev.nonbis.bench.judge;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One request as a client sent it, and the answer if it got one.
 *
 * @param sentAtMicros when, by a clock that never jumps
 */
public record Exchange(Caller caller, Sent sent, long sentAtMicros, Optional<Reply> reply) {

    /** Who sent it. */
    public record Caller(String tenant, String subject) {}

    /** What was sent; the path is without its query. */
    public record Sent(String method, String path, Optional<String> key, String body) {

        public JsonNode json() {
            return Texts.parse(body);
        }
    }

    /** What came back. */
    public record Reply(int status, boolean replayed, String body, long atMicros) {

        public JsonNode json() {
            return Texts.parse(body);
        }

        public boolean isSuccess() {
            return status < 300;
        }

        /** A problem's code, empty when the answer is none. */
        public String code() {
            return isSuccess() ? "" : json().path("code").asString("");
        }

        public String retry() {
            return isSuccess() ? "" : json().path("retry").asString("");
        }
    }

    public String tenant() {
        return caller.tenant();
    }

    boolean isPost(String path) {
        return sent.method().equals("POST") && sent.path().equals(path);
    }

    /** What a key of this request is a key of, if the request is one that takes keys. */
    public Optional<String> operation() {
        if (!sent.method().equals("POST")) {
            return Optional.empty();
        }
        if (sent.path().equals("/api/v1/jobs")) {
            return Optional.of("jobs");
        }
        if (sent.path().equals("/v1/payment-requests")) {
            return Optional.of("payments");
        }
        return sent.path().startsWith("/api/v1/workflows/") && sent.path().endsWith("/runs")
                ? Optional.of("runs")
                : Optional.empty();
    }
}
