package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.idempotency.Attempt;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunPlan;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.run.StepState;
import dev.nonbis.core.run.Workflow;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Starts a run within the tenant's limit: the count, the run and its first jobs are one transaction. */
public final class StartRun {

    private static final Duration WAIT_AT_LIMIT = Duration.ofSeconds(1);

    private final Ports ports;
    private final RunSteps steps;

    public StartRun(Ports ports) {
        this.ports = ports;
        this.steps = new RunSteps(ports);
    }

    /** The world as it was read above the transaction. */
    private record Draft(
            RunId id, Trace trace, String workflow, JsonObject input, Instant now, Optional<Planned> planned) {}

    /** The plan for a version of the workflow. */
    private record Planned(int version, RunPlan.Plan plan) {}

    public Outcome start(Submission submission, String workflowId, JsonObject input) {
        Instant now = ports.clock().instant();
        var once = new Once(submission, Operation.RUNS, ports.settings(), now);
        return once.repeated(ports.store()).orElseGet(() -> {
            var draft = new Draft(
                    ports.ids().run(),
                    submission.traceOr(ports.ids()),
                    workflowId,
                    input,
                    now,
                    plan(submission, workflowId, input));
            var reads = new ArrayList<>(SubmitJob.reads(submission));
            reads.add(Tables.WORKFLOWS.row(new Workflow.Key(submission.actor().tenant(), workflowId)));
            return ports.store().transact(reads, tx -> once.settle(tx, () -> admit(tx, submission, draft)));
        });
    }

    private Attempt admit(Tx tx, Submission submission, Draft draft) {
        var tenantId = submission.actor().tenant();
        var latest = tx.find(Tables.WORKFLOWS, new Workflow.Key(tenantId, draft.workflow()));
        if (latest.isEmpty()) {
            return new Attempt.Transient(
                    Problem.of(ProblemCode.WORKFLOW_NOT_FOUND, "There is no workflow of this name."));
        }
        var tenant = tx.find(Tables.TENANTS, tenantId).orElse(TenantState.NEW);
        var limit = limit(submission, tenant);
        if (limit.isPresent() && tenant.activeRuns() >= limit.get()) {
            return new Attempt.Transient(atCapacity(tenant.activeRuns(), limit.get()));
        }
        tx.put(Tables.TENANTS, tenantId, tenant.withActiveRuns(tenant.activeRuns() + 1));
        var run = insert(tx, submission, draft, latest.get());
        begin(tx, run, draft, submission.actor().subject());
        String id = draft.id().value();
        return new Attempt.Settled(
                id, Answers.ok(JsonObject.builder().put("run_id", id).build()));
    }

    // Expressions may take a while, and the writer works for everybody; so they are evaluated before it is asked.
    private Optional<Planned> plan(Submission submission, String workflowId, JsonObject input) {
        var tenant = submission.actor().tenant();
        return ports.store()
                .find(Tables.WORKFLOWS, new Workflow.Key(tenant, workflowId))
                .flatMap(latest -> ports.store()
                        .find(Tables.WORKFLOW_VERSIONS, new Workflow.VersionKey(tenant, workflowId, latest.version())))
                .map(version -> {
                    var definition = RunSteps.trusted(version.definition());
                    var plan = Evaluations.plan(ports, tenant, definition, () -> steps.firstPlan(definition, input));
                    return new Planned(version.version(), plan);
                });
    }

    private void begin(Tx tx, Run run, Draft draft, String by) {
        var ready = draft.planned()
                .filter(planned -> planned.version() == run.origin().version());
        if (ready.isPresent()) {
            steps.carryOut(tx, run, ready.get().plan(), by, draft.now());
        } else {
            steps.advance(tx, run, draft.input(), by, draft.now());
        }
    }

    private Run insert(Tx tx, Submission submission, Draft draft, Workflow.Latest latest) {
        RunId id = draft.id();
        Instant now = draft.now();
        var tenant = submission.actor().tenant();
        var version = tx.get(Tables.WORKFLOW_VERSIONS, new Workflow.VersionKey(tenant, latest.id(), latest.version()));
        var blocked = new LinkedHashMap<String, StepState>();
        RunSteps.trusted(version.definition()).steps().forEach(step -> blocked.put(step.id(), StepState.BLOCKED));
        var origin = new Run.Origin(
                latest.id(),
                latest.version(),
                submission.actor().subject(),
                draft.trace(),
                submission.requestHash(),
                now);
        var story = new Timeline(List.of(new TimelineEntry(now, RunState.RUNNING.name(), JsonObject.EMPTY)));
        var run = new Run(id, tenant, origin, RunState.RUNNING, blocked, Optional.empty(), Duplicates.NONE, story);
        tx.insert(Tables.RUNS, Tables.key(run), run);
        var data = JsonObject.builder()
                .put("workflow", latest.id())
                .put("version", latest.version())
                .build();
        Audit.append(
                tx,
                tenant,
                new AuditEvent.Draft(
                        now,
                        "run.started",
                        origin.startedBy(),
                        id.value(),
                        Optional.of(submission.requestHash()),
                        Optional.empty(),
                        data));
        return run;
    }

    private Optional<Integer> limit(Submission submission, TenantState tenant) {
        return tenant.runLimit().isPresent()
                ? tenant.runLimit().get().maxConcurrentRuns()
                : ports.settings().maxConcurrentRuns(submission.actor().tenant());
    }

    private static Problem atCapacity(int current, int limit) {
        return Problem.of(ProblemCode.MAX_CONCURRENT_RUNS_REACHED, current + " of " + limit + " runs are active.")
                .with(JsonObject.builder()
                        .put("current", current)
                        .put("limit", limit)
                        .build())
                .after(WAIT_AT_LIMIT);
    }
}
