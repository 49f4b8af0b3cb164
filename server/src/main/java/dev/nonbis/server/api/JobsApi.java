package dev.nonbis.server.api;

import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Topic;
import dev.nonbis.core.operation.Admissions;
import dev.nonbis.core.operation.CancelJob;
import dev.nonbis.core.operation.ListJobs;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.SubmitJob;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Jobs over HTTP. */
final class JobsApi {

    static final Set<String> MEMBERS = Set.of("topic", "prompt", "input", "labels", "deadline_ms", "max_attempts");
    private static final long MAX_DEADLINE_MS = Duration.ofDays(366).toMillis();
    private static final int FEW_BYTES = 1024;
    private static final int MAX_LABELS = 64;
    private static final int MAX_LABEL_NAME = 128;
    private static final int MAX_LABEL_VALUE = 1024;
    private static final String APPROVAL_GRANTED = "approval_granted";
    private static final String OWN_LABELS = "nonbis.";
    private static final String BUS_MESSAGE_ID = "nonbis.bus_msg_id";

    private final Ports ports;
    private final Keyed keyed;
    private final SubmitJob submitJob;
    private final CancelJob cancelJob;
    private final ListJobs listJobs;

    JobsApi(Ports ports, Keyed keyed) {
        this.ports = ports;
        this.keyed = keyed;
        this.submitJob = new SubmitJob(ports);
        this.cancelJob = new CancelJob(ports);
        this.listJobs = new ListJobs(ports.store());
    }

    Response submit(Call call) {
        return keyed.answer(call, Operation.JOBS, this::submitNew);
    }

    private Response submitNew(Keyed.Asked asked) {
        var call = asked.call();
        var body = Body.object(call, MEMBERS);
        var spec = spec(body, call.actor());
        keyed.check(asked);
        var submission = keyed.submission(asked, body.json(), Map.of());
        return keyed.response(asked, submitJob.submit(submission, spec));
    }

    Response get(Call call) {
        var tenant = call.actor().tenant();
        return JobId.of(call.request().pathParam("id"))
                .flatMap(id -> ports.store()
                        .read(tx -> tx.find(Tables.JOBS, new Tables.JobKey(tenant, id))
                                .flatMap(job -> Admissions.find(tx::find, job)
                                        .map(admission -> whole(
                                                job,
                                                admission,
                                                tx.find(Tables.RESULTS, new Tables.JobKey(tenant, id)))))))
                .orElseThrow(JobsApi::notFound);
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("state", "topic", "label", "after", "limit"));
        var state = query.string("state").map(JobsApi::state);
        for (String label : query.all("label")) {
            if (label.indexOf(':') < 1) {
                throw Query.invalid("label", "Expected name:value.");
            }
        }
        var filter = new ListJobs.Filter(state, query.string("topic"), query.all("label"));
        var after = query.string("after")
                .map(text -> JobId.of(text).orElseThrow(() -> Query.invalid("after", "Expected the next of a page.")));
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var page = listJobs.list(call.actor().tenant(), filter, after, limit);
        return Views.page(page, job -> Views.job(job).build());
    }

    Response timeline(Call call) {
        return find(call)
                .map(job -> Response.json(200, Views.timeline("job_id", job.id().value(), job.timeline())))
                .orElseThrow(JobsApi::notFound);
    }

    Response cancel(Call call) {
        var body = Body.optionalObject(call, Set.of("reason"));
        var reason = Limits.reason(body);
        var id = JobId.of(call.request().pathParam("id")).orElseThrow(JobsApi::notFound);
        return switch (cancelJob.cancel(call.actor(), id, reason)) {
            case CancelJob.Result.Cancelled(var job) -> ended(job, "cancelled");
            case CancelJob.Result.AlreadyCancelled(var job) -> ended(job, "already_cancelled");
            case CancelJob.Result.AlreadyTerminal(var job) ->
                throw new Refusal(Problem.of(ProblemCode.JOB_ALREADY_TERMINAL, "The job has ended.")
                        .with(JsonObject.builder()
                                .put("state", job.state().name())
                                .build()));
            case CancelJob.Result.NoSuchJob() -> throw notFound();
        };
    }

    private Optional<Job> find(Call call) {
        return JobId.of(call.request().pathParam("id"))
                .flatMap(id -> ports.store()
                        .read(tx -> tx.find(
                                Tables.JOBS, new Tables.JobKey(call.actor().tenant(), id))));
    }

    private static Response ended(Job job, String status) {
        return Response.json(
                200,
                JsonObject.builder()
                        .put("job_id", job.id().value())
                        .put("status", status)
                        .put("state", job.state().name())
                        .build());
    }

    private static Response whole(Job job, Admission admission, Optional<Result> result) {
        var text = new JsonText(admission.body().length + FEW_BYTES)
                .putAll(Views.job(job).build());
        Views.putAsked(text, admission.body());
        result.ifPresent(said -> text.putObject("result", members -> Views.putResult(members, said)));
        return new Response(200, Response.JSON, Map.of(), text.end());
    }

    static Job.Spec spec(Body body, Actor actor) {
        String topic = body.string("topic");
        Topic.complaint(topic).ifPresent(why -> {
            throw Refusal.at(body.at("topic"), ProblemCode.INVALID_FIELD, "A topic " + why + ".");
        });
        body.optionalString("prompt");
        var labels = body.optionalStrings("labels");
        checkLabels(labels, body.at("labels"), actor);
        return new Job.Spec(
                topic,
                labels,
                body.optionalInteger("deadline_ms", 1, MAX_DEADLINE_MS),
                body.optionalInteger("max_attempts", 1, 1000).map(Long::intValue));
    }

    private static void checkLabels(Map<String, String> labels, String pointer, Actor actor) {
        if (labels.size() > MAX_LABELS) {
            throw Refusal.at(pointer, ProblemCode.INVALID_FIELD, "A job has at most " + MAX_LABELS + " labels.");
        }
        labels.forEach((name, value) -> {
            if (name.equals(APPROVAL_GRANTED) || (name.startsWith(OWN_LABELS) && !mayOverride(name, actor))) {
                throw Refusal.at(
                        memberOf(pointer, name), ProblemCode.RESERVED_LABEL, "This label is the server's to set.");
            }
            if (name.isEmpty() || name.length() > MAX_LABEL_NAME || value.length() > MAX_LABEL_VALUE) {
                throw Refusal.at(
                        memberOf(pointer, name),
                        ProblemCode.INVALID_FIELD,
                        "A label's name has 1 to " + MAX_LABEL_NAME + " characters and its value at most "
                                + MAX_LABEL_VALUE + ".");
            }
        });
    }

    private static String memberOf(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    private static boolean mayOverride(String name, Actor actor) {
        return name.equals(BUS_MESSAGE_ID) && actor.has(Role.OPERATOR);
    }

    private static JobState state(String word) {
        return Arrays.stream(JobState.values())
                .filter(state -> state.name().equals(word))
                .findFirst()
                .orElseThrow(() -> Query.invalid("state", "There is no such state."));
    }

    private static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.JOB_NOT_FOUND, "There is no such job."));
    }
}
