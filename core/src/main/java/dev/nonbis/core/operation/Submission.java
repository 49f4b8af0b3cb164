package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.Claim;
import dev.nonbis.core.idempotency.Fingerprint;
import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Look;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Sent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A request that wants to make something: who sent what, under which key. */
public record Submission(
        Actor actor,
        String requestId,
        Optional<Trace> trace,
        JsonObject body,
        byte[] canonicalBody,
        String requestHash,
        Optional<Keyed> keyed) {

    /** The key, and the path that belongs to the request beside its body. */
    public record Keyed(SentKey as, Map<String, String> pathParams, Fingerprint fingerprint) {}

    /** A key as it came with a request, and what a look had found under it before the request was read. */
    public record SentKey(IdempotencyKey key, Sent sent, Look look) {}

    public static Submission of(
            Actor actor, Ids ids, JsonObject body, Optional<SentKey> key, Map<String, String> pathParams) {
        byte[] canonical = Json.canonical(body);
        String requestHash = Sha256.hex(canonical);
        return new Submission(
                actor,
                ids.requestId(),
                ids.trace(),
                body,
                canonical,
                requestHash,
                key.map(k -> new Keyed(k, pathParams, Fingerprint.of(requestHash, pathParams))));
    }

    /** The two ids under which a request is found again: ours, and that of the caller's trace if it has one. */
    public record Ids(String requestId, Optional<Trace> trace) {}

    /** The caller's trace, or a new one. */
    Trace traceOr(dev.nonbis.core.identity.Ids drawn) {
        return trace.isPresent() ? trace.get() : Trace.of(drawn.trace());
    }

    Optional<Claim> claim(Operation operation, Settings settings, Instant now) {
        return keyed.map(k -> new Claim(
                new KeyScope(actor.tenant(), operation, k.as().key()),
                k.as().sent(),
                k.fingerprint(),
                settings.retention(operation).map(now::plus)));
    }
}
