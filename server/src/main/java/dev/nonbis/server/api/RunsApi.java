package dev.nonbis.server.api;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.operation.Admissions;
import dev.nonbis.core.operation.CancelRun;
import dev.nonbis.core.operation.ListRuns;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.StartRun;
import dev.nonbis.core.operation.Submission;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.run.StepState;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.metrics.Metrics.ReleaseContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs over HTTP. */
final class RunsApi {

    private final Ports ports;
    private final Keyed keyed;
    private final Metrics metrics;
    private final StartRun startRun;
    private final CancelRun cancelRun;
    private final ListRuns listRuns;

    RunsApi(Ports ports, Keyed keyed, Metrics metrics) {
        this.ports = ports;
        this.keyed = keyed;
        this.metrics = metrics;
        this.startRun = new StartRun(ports);
        this.cancelRun = new CancelRun(ports);
        this.listRuns = new ListRuns(ports.store());
    }

    Response start(Call call) {
        return keyed.answer(call, Operation.RUNS, this::startNew);
    }

    private Response startNew(Keyed.Asked asked) {
        var call = asked.call();
        var body = Body.optionalObject(call, Set.of("input"));
        var input = body.optionalObject("input").orElse(JsonObject.EMPTY);
        String workflow = call.request().pathParam("id");
        keyed.check(asked);
        var submission = keyed.submission(asked, body.json(), Map.of("id", workflow));
        return keyed.response(asked, counted(submission, () -> startRun.start(submission, workflow, input)));
    }

    Response get(Call call) {
        var tenant = call.actor().tenant();
        return RunId.of(call.request().pathParam("id"))
                .flatMap(id -> ports.store()
                        .read(tx -> tx.find(Tables.RUNS, Tables.runKey(tenant, id))
                                .flatMap(run -> Admissions.find(tx::find, tenant, id.value())
                                        .map(admission -> whole(run, admission)))))
                .orElseThrow(RunsApi::notFound);
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("state", "workflow", "after", "limit"));
        var filter = new ListRuns.Filter(query.string("state").map(RunsApi::state), query.string("workflow"));
        var after = query.string("after")
                .map(text -> RunId.of(text).orElseThrow(() -> Query.invalid("after", "Expected the next of a page.")));
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var page = listRuns.list(call.actor().tenant(), filter, after, limit);
        return Views.page(page, run -> Views.run(run).build());
    }

    Response timeline(Call call) {
        return RunId.of(call.request().pathParam("id"))
                .flatMap(id -> ports.store()
                        .read(tx ->
                                tx.find(Tables.RUNS, Tables.runKey(call.actor().tenant(), id))))
                .map(run -> Response.json(200, Views.timeline("run_id", run.id().value(), run.timeline())))
                .orElseThrow(RunsApi::notFound);
    }

    Response cancel(Call call) {
        var body = Body.optionalObject(call, Set.of("reason"));
        var reason = Limits.reason(body);
        var id = RunId.of(call.request().pathParam("id")).orElseThrow(RunsApi::notFound);
        return switch (cancelRun.cancel(call.actor(), id, reason)) {
            case CancelRun.Result.Cancelled(var run) -> ended(run, "cancelled");
            case CancelRun.Result.AlreadyCancelled(var run) -> ended(run, "already_cancelled");
            case CancelRun.Result.AlreadyTerminal(var run) ->
                throw new Refusal(Problem.of(ProblemCode.RUN_ALREADY_TERMINAL, "The run has ended.")
                        .with(JsonObject.builder()
                                .put("state", run.state().name())
                                .build()));
            case CancelRun.Result.NoSuchRun() -> throw notFound();
        };
    }

    /** Counts every way in which a claimed key was let go again, and the one in which nobody knows. */
    private Outcome counted(Submission submission, java.util.function.Supplier<Outcome> start) {
        try {
            var outcome = start.get();
            if (submission.keyed().isPresent()
                    && outcome instanceof Outcome.Refused(var problem)
                    && problem.code() == ProblemCode.MAX_CONCURRENT_RUNS_REACHED) {
                metrics.released(ReleaseContext.CONCURRENCY_LIMIT);
            }
            return outcome;
        } catch (StoreUnavailable failure) {
            if (submission.keyed().isPresent()) {
                countRelease(failure);
            }
            throw failure;
        }
    }

    private void countRelease(StoreUnavailable failure) {
        var context = failure.why() == StoreUnavailable.Cause.BUSY
                ? ReleaseContext.COUNT_FAILURE
                : ReleaseContext.CREATE_FAILURE;
        switch (failure.fate()) {
            case DID_NOT_HAPPEN -> metrics.released(context);
            case UNKNOWN -> metrics.releaseFailed(context);
        }
    }

    private static Response ended(Run run, String status) {
        return Response.json(
                200,
                JsonObject.builder()
                        .put("run_id", run.id().value())
                        .put("status", status)
                        .put("state", run.state().name())
                        .build());
    }

    private static Response whole(Run run, Admission admission) {
        var json = Views.run(run);
        var jobs = new ArrayList<JsonValue>();
        run.steps().forEach((step, state) -> {
            if (state != StepState.BLOCKED && state != StepState.SKIPPED) {
                jobs.add(JsonObject.builder()
                        .put("step", step)
                        .put("job_id", JobId.ofStep(run.id(), step).value())
                        .build());
            }
        });
        var text = new JsonText(admission.body().length)
                .putAll(json.put("jobs", new JsonArray(jobs)).build());
        text.putSlice(
                "input", Optional.ofNullable(JsonSlice.members(admission.body()).get("input")));
        return new Response(200, Response.JSON, Map.of(), text.end());
    }

    private static RunState state(String word) {
        return Arrays.stream(RunState.values())
                .filter(state -> state.name().equals(word))
                .findFirst()
                .orElseThrow(() -> Query.invalid("state", "There is no such state."));
    }

    private static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.RUN_NOT_FOUND, "There is no such run."));
    }
}
