package dev.nonbis.server.api;

import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.idempotency.RecordedAnswer;
import dev.nonbis.core.idempotency.Sent;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.Repeat;
import dev.nonbis.core.operation.Submission;
import dev.nonbis.core.operation.Submission.SentKey;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.metrics.Metrics.KeyOutcome;
import dev.nonbis.server.metrics.Metrics.Layer;
import dev.nonbis.server.tracing.Tracing;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What all requests with an {@code Idempotency-Key} have in common: how the key is read, and how an outcome is told. */
final class Keyed {

    private final Set<Operation> required;
    private final Repeat repeat;
    private final NoteDuplicates duplicates;
    private final Metrics metrics;
    private final Tracing tracing;
    private final Origins origins;
    private final Repeats repeats;

    Keyed(Set<Operation> required, Ports ports, NoteDuplicates duplicates, Watching watching) {
        this.required = Set.copyOf(required);
        this.repeat = new Repeat(ports);
        this.origins = new Origins(ports.store());
        this.duplicates = duplicates;
        this.metrics = watching.metrics();
        this.tracing = watching.tracing();
        this.repeats = new Repeats(metrics.recent());
    }

    /**
     * A request that wants to make something.
     *
     * @param key the key that came with it, if one did that can be read
     */
    record Asked(Call call, Operation operation, Optional<SentKey> key) {}

    /** The answer to a request that was sent before, byte for byte; any other has to be read. */
    Response answer(Call call, Operation operation, Function<Asked, Response> otherwise) {
        var asked = new Asked(call, operation, readable(call).map(key -> sentKey(call, operation, key)));
        return asked.key()
                .flatMap(key -> repeat.answer(key.look(), key.sent()))
                .map(outcome -> response(asked, outcome))
                .orElseGet(() -> otherwise.apply(asked));
    }

    private SentKey sentKey(Call call, Operation operation, IdempotencyKey key) {
        return new SentKey(
                key,
                Sent.of(call.actor(), call.request().path(), call.request().body()),
                repeat.look(new KeyScope(call.actor().tenant(), operation, key)));
    }

    /** What a request asks for, once its key is known to be in order. */
    Submission submission(Asked asked, JsonObject body, Map<String, String> pathParams) {
        var request = asked.call().request();
        var ids = new Submission.Ids(request.id(), request.trace());
        return Submission.of(asked.call().actor(), ids, body, asked.key(), pathParams);
    }

    Response response(Asked asked, Outcome outcome) {
        var call = asked.call();
        var operation = asked.operation();
        boolean keyed = asked.key().isPresent();
        return switch (outcome) {
            case Outcome.Fresh(var subject, var answer) -> {
                if (keyed) {
                    metrics.key(operation, KeyOutcome.FRESH);
                }
                yield recorded(answer);
            }
            case Outcome.Replayed(var subject, var answer, var original) -> {
                metrics.key(operation, KeyOutcome.REPLAYED);
                metrics.blocked(Layer.IDEMPOTENCY_KEY, call.actor().tenant());
                duplicates.replayed(call.actor().tenant(), subject);
                repeats.replayed(call, operation, subject);
                tracing.repeats(() -> origins.trace(call.actor().tenant(), subject));
                yield Replay.of(recorded(answer), original, Layer.IDEMPOTENCY_KEY);
            }
            case Outcome.Mismatched mismatch -> {
                metrics.key(operation, KeyOutcome.MISMATCHED);
                metrics.blocked(Layer.IDEMPOTENCY_KEY, call.actor().tenant());
                duplicates.mismatched(call.actor().tenant(), mismatch.subject());
                repeats.mismatched(call, operation, mismatch);
                tracing.repeats(() -> origins.trace(call.actor().tenant(), mismatch.subject()));
                yield Response.problem(
                        mismatch(words(operation).mismatch(), mismatch),
                        call.request().id());
            }
            case Outcome.Refused(var problem) -> {
                if (keyed) {
                    metrics.key(operation, KeyOutcome.RELEASED);
                }
                yield Response.problem(problem, call.request().id());
            }
        };
    }

    private static Optional<IdempotencyKey> readable(Call call) {
        var sent = call.request().headerValues("idempotency-key");
        return sent.size() == 1 ? IdempotencyKey.parseHeader(sent.getFirst()) : Optional.empty();
    }

    /** Refuses a request without a key that needs one, and a key that is none. */
    void check(Asked asked) {
        if (asked.key().isPresent()) {
            return;
        }
        var operation = asked.operation();
        var sent = asked.call().request().headerValues("idempotency-key");
        if (sent.size() > 1) {
            throw invalid(operation, "The Idempotency-Key header was sent " + sent.size() + " times.");
        }
        // No configuration lets money be asked for without a key.
        if (sent.isEmpty() && (required.contains(operation) || operation == Operation.PAYMENTS)) {
            throw new Refusal(
                    Problem.of(words(operation).required(), "This operation needs an Idempotency-Key header."));
        }
        if (!sent.isEmpty()) {
            throw invalid(operation, "The Idempotency-Key is not 1 to 255 visible ASCII characters, quoted or bare.");
        }
    }

    private static Response recorded(RecordedAnswer answer) {
        return new Response(answer.status(), answer.contentType(), Map.of(), answer.body());
    }

    private static Refusal invalid(Operation operation, String detail) {
        return new Refusal(Problem.of(words(operation).invalid(), detail));
    }

    /** The codes for what can be wrong with a key; payments have their own. */
    private record Words(ProblemCode invalid, ProblemCode required, ProblemCode mismatch) {}

    private static Words words(Operation operation) {
        return switch (operation) {
            case JOBS, RUNS ->
                new Words(
                        ProblemCode.IDEMPOTENCY_KEY_INVALID,
                        ProblemCode.IDEMPOTENCY_KEY_REQUIRED,
                        ProblemCode.IDEMPOTENCY_KEY_REUSED);
            case PAYMENTS ->
                new Words(
                        ProblemCode.PROTOCOL_IDEMPOTENCY_KEY_INVALID,
                        ProblemCode.PROTOCOL_IDEMPOTENCY_KEY_REQUIRED,
                        ProblemCode.PROTOCOL_IDEMPOTENCY_CONFLICT);
        };
    }

    private static Problem mismatch(ProblemCode code, Outcome.Mismatched mismatch) {
        var extra = JsonObject.builder().put("pointers", JsonArray.ofStrings(mismatch.pointers()));
        if (!mismatch.pathParams().isEmpty()) {
            extra.put("path_parameters", JsonArray.ofStrings(mismatch.pathParams()));
        }
        return Problem.of(code, "This key belongs to a request with another body or path.")
                .with(extra.build());
    }
}
