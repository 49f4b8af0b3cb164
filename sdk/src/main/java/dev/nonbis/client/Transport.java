package dev.nonbis.client;

import dev.nonbis.client.Carrier.NotSentException;
import dev.nonbis.client.Carrier.Reply;
import dev.nonbis.client.Carrier.Sent;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends one attempt and understands what came back. */
final class Transport {

    static final JsonMapper JSON = JsonMapper.shared();

    private final Carrier carrier;
    private final String token;
    private final Supplier<Optional<String>> span;

    /** @param span the {@code traceparent} of what the calling thread is doing, if it is traced */
    Transport(Carrier carrier, String token, Supplier<Optional<String>> span) {
        this.carrier = carrier;
        this.token = token;
        this.span = span;
    }

    Attempt send(Call call, int attempt) throws InterruptedException {
        try {
            return understand(carrier.carry(request(call)), call, attempt);
        } catch (NotSentException e) {
            return new Attempt.NotSent(e);
        } catch (IOException e) {
            return new Attempt.Lost(e);
        }
    }

    private Sent request(Call call) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Authorization", "Bearer " + token);
        headers.put("Accept", "application/json");
        call.idempotencyKey().ifPresent(key -> headers.put("Idempotency-Key", key));
        call.traceparent().or(span).ifPresent(header -> headers.put("traceparent", header));
        if (call.body().isPresent()) {
            headers.put("Content-Type", "application/json");
        }
        return new Sent(call.method(), call.path(), headers, call.body().map(JSON::writeValueAsString));
    }

    private static Attempt understand(Reply response, Call call, int attempt) {
        JsonNode body;
        try {
            body = response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
        } catch (JacksonException e) {
            return new Attempt.Unintelligible(response.status());
        }
        if (response.status() < 300) {
            return new Attempt.Answered(answer(response, body, call, attempt));
        }
        return problem(response, body)
                .<Attempt>map(Attempt.Refused::new)
                .orElseGet(() -> new Attempt.Unintelligible(response.status()));
    }

    private static Answer answer(Reply response, JsonNode body, Call call, int attempt) {
        var replayed = response.header("Idempotent-Replayed").filter("true"::equals);
        var replay = replayed.map(yes -> new Answer.Replay(
                response.header("Nonbis-Blocked-By").orElse("idempotency_key"),
                response.header("Nonbis-Original-Request")));
        return new Answer(
                response.status(), response.body(), body, requestId(response), replay, call.idempotencyKey(), attempt);
    }

    private static Optional<Problem> problem(Reply response, JsonNode body) {
        var code = body.path("code").asString("");
        var retry = Problem.Retry.of(body.path("retry").asString(""));
        if (code.isEmpty() || retry.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Problem(
                code,
                retry.get(),
                body.path("title").asString(""),
                body.path("detail").asString(""),
                response.status(),
                retryAfter(response, body),
                requestId(response),
                body));
    }

    private static Optional<Duration> retryAfter(Reply response, JsonNode body) {
        if (body.path("retry_after_ms").isIntegralNumber()) {
            return Optional.of(Duration.ofMillis(body.path("retry_after_ms").asLong()));
        }
        return response.header("Retry-After")
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    }

    private static String requestId(Reply response) {
        return response.header("Nonbis-Request-Id").orElse("");
    }
}
