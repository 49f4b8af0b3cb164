package dev.nonbis.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends one attempt and understands what came back. */
final class Transport {

    static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http;
    private final URI base;
    private final String token;
    private final Duration requestTimeout;

    Transport(HttpClient http, URI base, String token, Duration requestTimeout) {
        this.http = http;
        this.base = base;
        this.token = token;
        this.requestTimeout = requestTimeout;
    }

    Attempt send(Call call, int attempt) throws InterruptedException {
        try {
            var response = http.send(request(call), BodyHandlers.ofString(StandardCharsets.UTF_8));
            return understand(response, call, attempt);
        } catch (HttpConnectTimeoutException | ConnectException e) {
            return new Attempt.NotSent(e);
        } catch (IOException e) {
            return e.getCause() instanceof UnresolvedAddressException ? new Attempt.NotSent(e) : new Attempt.Lost(e);
        }
    }

    private HttpRequest request(Call call) {
        var request = HttpRequest.newBuilder(URI.create(base + call.path()))
                .timeout(requestTimeout)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json");
        call.idempotencyKey().ifPresent(key -> request.header("Idempotency-Key", key));
        if (call.body().isPresent()) {
            request.header("Content-Type", "application/json");
            request.method(
                    call.method(),
                    BodyPublishers.ofString(JSON.writeValueAsString(call.body().get())));
        } else {
            request.method(call.method(), BodyPublishers.noBody());
        }
        return request.build();
    }

    private static Attempt understand(HttpResponse<String> response, Call call, int attempt) {
        JsonNode body;
        try {
            body = response.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(response.body());
        } catch (JacksonException e) {
            return new Attempt.Unintelligible(response.statusCode());
        }
        if (response.statusCode() < 300) {
            return new Attempt.Answered(answer(response, body, call, attempt));
        }
        return problem(response, body)
                .<Attempt>map(Attempt.Refused::new)
                .orElseGet(() -> new Attempt.Unintelligible(response.statusCode()));
    }

    private static Answer answer(HttpResponse<String> response, JsonNode body, Call call, int attempt) {
        var replayed = header(response, "Idempotent-Replayed").filter("true"::equals);
        var replay = replayed.map(yes -> new Answer.Replay(
                header(response, "Nonbis-Blocked-By").orElse("idempotency_key"),
                header(response, "Nonbis-Original-Request")));
        return new Answer(
                response.statusCode(),
                response.body(),
                body,
                requestId(response),
                replay,
                call.idempotencyKey(),
                attempt);
    }

    private static Optional<Problem> problem(HttpResponse<String> response, JsonNode body) {
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
                response.statusCode(),
                retryAfter(response, body),
                requestId(response),
                body));
    }

    private static Optional<Duration> retryAfter(HttpResponse<String> response, JsonNode body) {
        if (body.path("retry_after_ms").isIntegralNumber()) {
            return Optional.of(Duration.ofMillis(body.path("retry_after_ms").asLong()));
        }
        return header(response, "Retry-After")
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    }

    private static String requestId(HttpResponse<String> response) {
        return header(response, "Nonbis-Request-Id").orElse("");
    }

    private static Optional<String> header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name);
    }
}
