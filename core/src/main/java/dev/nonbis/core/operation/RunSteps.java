package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.run.Budget;
import dev.nonbis.core.run.Expressions;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunPlan;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.run.StepState;
import dev.nonbis.core.run.Workflow;
import dev.nonbis.core.run.WorkflowParser;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.Sha256;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Moves a run: makes the jobs of steps that may start, and ends it when there is nothing left. Every change to a run goes through
 * here, in the transaction of what caused it, so that the tenant's count of active runs is exact.
 */
final class RunSteps {

    private final Ports ports;

    RunSteps(Ports ports) {
        this.ports = ports;
    }

    /** A stored definition was checked when it was put; its expressions need no second look. */
    static Workflow trusted(JsonObject definition) {
        return switch (new WorkflowParser(TRUSTING).parse(definition)) {
            case WorkflowParser.Result.Valid(var workflow) -> workflow;
            case WorkflowParser.Result.Invalid invalid ->
                throw new IllegalStateException("a stored workflow is not valid at " + invalid.pointer());
        };
    }

    /** Starts what may start in a new or changed run and stores it. The run's row must exist. */
    Run advance(Tx tx, Run run, JsonObject input, String by, Instant now) {
        var workflow = trusted(tx.get(
                        Tables.WORKFLOW_VERSIONS,
                        new Workflow.VersionKey(
                                run.tenant(),
                                run.origin().workflow(),
                                run.origin().version()))
                .definition());
        return carryOut(
                tx, run, new RunPlan(workflow, ports.expressions()).next(run.steps(), scope(tx, run, input)), by, now);
    }

    /** The plan of a run that has not begun: what a transaction need not wait for. */
    RunPlan.Plan firstPlan(Workflow workflow, JsonObject input) {
        var steps = new LinkedHashMap<String, StepState>();
        workflow.steps().forEach(step -> steps.put(step.id(), StepState.BLOCKED));
        return new RunPlan(workflow, ports.expressions()).next(steps, scope(steps.keySet(), input));
    }

    /** Makes the jobs of a plan for a run in this state and stores the run. The run's row must exist. */
    Run carryOut(Tx tx, Run run, RunPlan.Plan plan, String by, Instant now) {
        var steps = new LinkedHashMap<>(plan.steps());
        for (var start : plan.starts()) {
            steps.put(
                    start.step().id(), stepState(startStep(tx, run, start, now).state()));
        }
        return settle(tx, run, steps, plan.failures(), by, now);
    }

    /** Takes over what became of a job into the run that it is a step of, if it is one. */
    void afterJob(Tx tx, Job job, String by, Instant now) {
        if (job.origin().step().isEmpty()) {
            return;
        }
        var step = job.origin().step().get();
        var run = tx.get(Tables.RUNS, Tables.runKey(job.tenant(), step.run()));
        if (!run.state().isActive()) {
            return;
        }
        var steps = new LinkedHashMap<>(run.steps());
        steps.put(step.step(), stepState(job.state()));
        if (RunPlan.state(steps.values()).isActive()) {
            advance(tx, run.withSteps(steps), input(tx, run), by, now);
        } else {
            settle(tx, run, steps, Map.of(), by, now);
        }
    }

    /** Ends a run from outside. */
    Run cancel(Tx tx, Run run, String by, Optional<String> reason, Instant now) {
        var steps = cancelOpenSteps(tx, run, run.steps(), by, now);
        var note =
                JsonObject.builder().put("by", by).putString("reason", reason).build();
        return end(tx, run.withSteps(steps).in(RunState.CANCELLED, now, note), "run.cancelled", by, note, now);
    }

    private Run settle(
            Tx tx, Run run, Map<String, StepState> steps, Map<String, String> failures, String by, Instant now) {
        var state = RunPlan.state(steps.values());
        if (state.isActive()) {
            var moved = run.withSteps(steps).in(state, now, JsonObject.EMPTY);
            tx.update(Tables.RUNS, Tables.key(run), moved);
            return moved;
        }
        var closed = cancelOpenSteps(tx, run, steps, by, now);
        var note = JsonObject.builder();
        failures.forEach(note::put);
        var data = JsonObject.builder().put("state", state.name()).build();
        return end(tx, run.withSteps(closed).in(state, now, note.build()), "run.ended", by, data, now);
    }

    private Run end(Tx tx, Run ended, String type, String by, JsonObject data, Instant now) {
        tx.update(Tables.RUNS, Tables.key(ended), ended);
        var tenant = tx.find(Tables.TENANTS, ended.tenant()).orElse(TenantState.NEW);
        tx.put(Tables.TENANTS, ended.tenant(), tenant.withActiveRuns(tenant.activeRuns() - 1));
        Audit.append(
                tx,
                ended.tenant(),
                new AuditEvent.Draft(now, type, by, ended.id().value(), Optional.empty(), Optional.empty(), data));
        return ended;
    }

    private static Map<String, StepState> cancelOpenSteps(
            Tx tx, Run run, Map<String, StepState> steps, String by, Instant now) {
        var closed = new LinkedHashMap<>(steps);
        for (var entry : steps.entrySet()) {
            if (entry.getValue().isOpen()) {
                var key = new Tables.JobKey(run.tenant(), JobId.ofStep(run.id(), entry.getKey()));
                tx.find(Tables.JOBS, key)
                        .filter(job -> !job.state().isTerminal())
                        .ifPresent(job -> CancelJob.cancel(tx, job, by, Optional.of("the run has ended"), now));
                closed.put(entry.getKey(), StepState.CANCELLED);
            }
        }
        return closed;
    }

    private Job startStep(Tx tx, Run run, RunPlan.Start start, Instant now) {
        var step = start.step();
        var body = JsonObject.builder()
                .put("input", start.input())
                .put("topic", step.topic())
                .build();
        byte[] canonical = Json.canonical(body);
        var origin = new Job.Origin(
                run.origin().startedBy(),
                run.origin().trace(),
                Sha256.hex(canonical),
                now,
                Optional.of(new Job.StepRef(run.id(), step.id())));
        var spec = new Job.Spec(step.topic(), Map.of(), Optional.empty(), step.maxAttempts());
        var ruling = ports.policy().job(run.tenant(), PolicyView.step(run, spec, start));
        var id = JobId.ofStep(run.id(), step.id());
        var job = new NewJob(id, run.tenant(), spec, origin, ruling, step.approval())
                .insert(tx, ports.settings().approvalExpiry());
        Admissions.keep(tx, run.tenant(), id.value(), new Admission(run.id().value(), now, canonical));
        return job;
    }

    static StepState stepState(JobState job) {
        return switch (job) {
            case APPROVAL -> StepState.WAITING;
            case PENDING, SCHEDULED, DISPATCHED, RUNNING, UNKNOWN -> StepState.ACTIVE;
            case SUCCEEDED -> StepState.SUCCEEDED;
            case FAILED, TIMEOUT -> StepState.FAILED;
            case CANCELLED -> StepState.CANCELLED;
            case DENIED -> StepState.DENIED;
        };
    }

    private static JsonObject scope(Set<String> stepIds, JsonObject input) {
        var steps = JsonObject.builder();
        stepIds.forEach(id -> steps.put(id, JsonObject.EMPTY));
        return JsonObject.builder()
                .put("input", input)
                .put("steps", steps.build())
                .build();
    }

    // A step that is done has an output, null if its worker gave none; every other one has nothing to look at.
    private static JsonObject scope(Tx tx, Run run, JsonObject input) {
        var steps = JsonObject.builder();
        run.steps()
                .forEach((id, state) ->
                        steps.put(id, state == StepState.SUCCEEDED ? output(tx, run, id) : JsonObject.EMPTY));
        return JsonObject.builder()
                .put("input", input)
                .put("steps", steps.build())
                .build();
    }

    private static JsonObject output(Tx tx, Run run, String step) {
        var output = tx.find(Tables.RESULTS, new Tables.JobKey(run.tenant(), JobId.ofStep(run.id(), step)))
                .flatMap(result -> result.content().output())
                .map(JsonSlice::parse)
                .orElse(JsonNull.NULL);
        return JsonObject.builder().put("output", output).build();
    }

    private static JsonObject input(Tx tx, Run run) {
        var admission = Admissions.get(tx::find, run.tenant(), run.id().value());
        return Json.parse(admission.body()) instanceof JsonObject body
                ? body.object("input").orElse(JsonObject.EMPTY)
                : JsonObject.EMPTY;
    }

    private static final Expressions TRUSTING = new Expressions() {
        @Override
        public Optional<String> complaint(String expression) {
            return Optional.empty();
        }

        @Override
        public Result evaluate(String expression, JsonObject scope, Budget budget) {
            throw new IllegalStateException("only for reading definitions");
        }
    };
}
