package dev.nonbis.server.api;

import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.operation.DeadLetters;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.RepeatPublish;
import dev.nonbis.core.operation.ResolveUnknown;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics.Layer;
import java.util.Set;

/** What only a human can settle, over HTTP: jobs of unknown outcome, and jobs that ran out of attempts. */
final class DeadLettersApi {

    private final DeadLetters letters;
    private final RepeatPublish repeatPublish;
    private final ResolveUnknown resolveUnknown;

    DeadLettersApi(DispatchPorts ports) {
        this.letters = new DeadLetters(ports);
        this.repeatPublish = new RepeatPublish(ports);
        this.resolveUnknown = new ResolveUnknown(ports);
    }

    Response resolve(Call call) {
        var body = Body.object(call, Set.of("outcome", "reason"));
        var word = word(body);
        body.string("reason");
        String reason = Limits.reason(body).orElse("");
        var id = JobId.of(call.request().pathParam("id")).orElseThrow(DeadLettersApi::noJob);
        var command = new ResolveUnknown.Command(call.actor(), call.request().id(), id, word, reason);
        return switch (resolveUnknown.resolve(command)) {
            case ResolveUnknown.Outcome.Resolved(var job) ->
                Response.json(200, resolved(id, "resolved", job.state().name()));
            case ResolveUnknown.Outcome.AlreadyResolved(var job, var original) ->
                Replay.of(
                        Response.json(
                                200,
                                resolved(id, "already_resolved", job.state().name())),
                        original,
                        Layer.JOB_STATE);
            case ResolveUnknown.Outcome.NotUnknown(var job) ->
                throw new Refusal(Problem.of(ProblemCode.JOB_NOT_UNKNOWN, "The job's outcome is not in doubt.")
                        .with(JsonObject.builder()
                                .put("state", job.state().name())
                                .build()));
            case ResolveUnknown.Outcome.NoSuchJob() -> throw noJob();
        };
    }

    Response republish(Call call) {
        Body.optionalObject(call, Set.of());
        var id = JobId.of(call.request().pathParam("id")).orElseThrow(DeadLettersApi::noJob);
        return switch (repeatPublish.repeat(call.actor().tenant(), id)) {
            case RepeatPublish.Outcome.Accepted(var job, var message) ->
                Response.json(
                        200,
                        published(job, "accepted")
                                .put("message_id", message.value())
                                .build());
            case RepeatPublish.Outcome.Duplicate(var job, var message) ->
                Response.json(
                                200,
                                published(job, "duplicate")
                                        .put("message_id", message.value())
                                        .build())
                        .with("Nonbis-Blocked-By", Layer.BROKER_WINDOW.word());
            case RepeatPublish.Outcome.NeverPublished(var job) ->
                Response.json(200, published(job, "never_published").build());
            case RepeatPublish.Outcome.BusAway(var job, var why) ->
                Response.json(200, published(job, "bus_away").put("why", why).build());
            case RepeatPublish.Outcome.NoSuchJob() -> throw noJob();
        };
    }

    private static JsonObject.Builder published(Job job, String status) {
        return JsonObject.builder()
                .put("job_id", job.id().value())
                .put("status", status)
                .put("state", job.state().name());
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("after", "limit"));
        var after = query.string("after")
                .map(text -> JobId.of(text).orElseThrow(() -> Query.invalid("after", "Expected the next of a page.")));
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        return Views.page(letters.list(call.actor().tenant(), after, limit), DeadLettersApi::view);
    }

    Response retry(Call call) {
        Body.optionalObject(call, Set.of());
        return switch (letters.retry(call.actor(), call.request().id(), id(call))) {
            case DeadLetters.Outcome.Retried(var letter, var retry) ->
                Response.json(200, retried(letter, retry, "retried"));
            case DeadLetters.Outcome.AlreadyRetried(var letter, var retry) ->
                Replay.of(
                        Response.json(200, retried(letter, retry, "already_retried")),
                        retry.requestId(),
                        Layer.JOB_STATE);
            case DeadLetters.Outcome.NoJob(var letter) ->
                throw new Refusal(Problem.of(
                        ProblemCode.DEAD_LETTER_NOT_FOUND,
                        "The letter is a message that names no job, so there is nothing to try again."));
            case DeadLetters.Outcome.Denied(var verdict) -> throw denied(verdict);
            case DeadLetters.Outcome.Throttled(var verdict) ->
                throw new Refusal(Problem.of(ProblemCode.POLICY_THROTTLED, "The policy holds this job back for now.")
                        .after(verdict.delay()));
            case DeadLetters.Outcome.NoSuchLetter() -> throw noLetter();
        };
    }

    Response discard(Call call) {
        var body = Body.optionalObject(call, Set.of("reason"));
        var id = id(call);
        if (!letters.discard(call.actor(), id, Limits.reason(body))) {
            throw noLetter();
        }
        return Response.json(
                200,
                JsonObject.builder()
                        .put("job_id", id.value())
                        .put("status", "discarded")
                        .build());
    }

    private static JobId id(Call call) {
        return JobId.of(call.request().pathParam("id")).orElseThrow(DeadLettersApi::noLetter);
    }

    private static ResolveUnknown.Word word(Body body) {
        String text = body.string("outcome");
        for (var word : ResolveUnknown.Word.values()) {
            if (word.word().equals(text)) {
                return word;
            }
        }
        throw Refusal.at("/outcome", ProblemCode.INVALID_FIELD, "Expected succeeded, failed or retry.");
    }

    private static JsonObject resolved(JobId id, String status, String state) {
        return JsonObject.builder()
                .put("job_id", id.value())
                .put("status", status)
                .put("state", state)
                .build();
    }

    private static JsonObject retried(DeadLetter letter, DeadLetter.Retry retry, String status) {
        return JsonObject.builder()
                .put("job_id", letter.job().value())
                .put("status", status)
                .put("retried_as", retry.job().value())
                .build();
    }

    private static JsonObject view(DeadLetter letter) {
        var json = JsonObject.builder()
                .put("job_id", letter.job().value())
                .put("topic", letter.topic())
                .put("state", letter.state().name())
                .put("why", letter.why())
                .put("at", Timestamps.format(letter.at()))
                .putString("message", letter.message());
        letter.retry()
                .ifPresent(retry -> json.put("retried_as", retry.job().value())
                        .put("retried_by", retry.by())
                        .put("retried_at", Timestamps.format(retry.at())));
        return json.build();
    }

    private static Refusal denied(Verdict.Deny verdict) {
        return new Refusal(Problem.of(ProblemCode.POLICY_DENIED, "The policy does not allow this job any more.")
                .with(JsonObject.builder()
                        .put("deny_code", verdict.code())
                        .putString("matched_rule_id", verdict.rule())
                        .build()));
    }

    private static Refusal noJob() {
        return new Refusal(Problem.of(ProblemCode.JOB_NOT_FOUND, "There is no such job."));
    }

    private static Refusal noLetter() {
        return new Refusal(Problem.of(ProblemCode.DEAD_LETTER_NOT_FOUND, "There is no such dead letter."));
    }
}
