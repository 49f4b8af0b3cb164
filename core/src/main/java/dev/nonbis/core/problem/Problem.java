package dev.nonbis.core.problem;

import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** One refusal or failure: a code, a sentence about this occurrence, and what a program needs besides. */
public record Problem(ProblemCode code, String detail, JsonObject extra, Optional<Duration> retryAfter) {

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, detail, JsonObject.EMPTY, Optional.empty());
    }

    public Problem with(JsonObject members) {
        return new Problem(code, detail, members, retryAfter);
    }

    /** The same problem, naming the place in the body as an RFC 6901 pointer. */
    public Problem at(String pointer) {
        return with(JsonObject.builder().put("pointer", pointer).build());
    }

    public Problem after(Duration wait) {
        return new Problem(code, detail, extra, Optional.of(wait));
    }

    /** The RFC 9457 body for the request with this id. */
    public JsonObject toJson(String requestId) {
        var json = JsonObject.builder()
                .put("type", "/problems/" + code.word())
                .put("title", code.title())
                .put("status", code.status())
                .put("detail", detail)
                .put("instance", "urn:nonbis:request:" + requestId)
                .put("code", code.word())
                .put("retry", code.retry().word());
        retryAfter.ifPresent(wait -> json.put("retry_after_ms", wait.toMillis()));
        extra.members().forEach(json::put);
        return json.build();
    }
}
