package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.Attempt;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Admits a job: once for each key, however often it is sent. */
public final class SubmitJob {

    private final Ports ports;

    public SubmitJob(Ports ports) {
        this.ports = ports;
    }

    public Outcome submit(Submission submission, Job.Spec spec) {
        Instant now = ports.clock().instant();
        var once = new Once(submission, Operation.JOBS, ports.settings(), now);
        return once.repeated(ports.store()).orElseGet(() -> admit(submission, spec, once, now));
    }

    private Outcome admit(Submission submission, Job.Spec spec, Once once, Instant now) {
        var tenant = submission.actor().tenant();
        var view = PolicyView.job(submission.body(), submission.actor().subject());
        var ruling = Evaluations.ruling(ports, tenant, () -> ports.policy().job(tenant, view));
        var origin = new Job.Origin(
                submission.actor().subject(),
                submission.traceOr(ports.ids()),
                submission.requestHash(),
                now,
                Optional.empty());
        var job = new NewJob(ports.ids().job(), tenant, spec, origin, ruling, false);
        return ports.store().transact(reads(submission), tx -> once.settle(tx, () -> create(tx, job, submission)));
    }

    private Attempt create(Tx tx, NewJob job, Submission submission) {
        if (job.ruling().verdict() instanceof Verdict.Throttle throttle) {
            return new Attempt.Transient(throttled(throttle));
        }
        var made = job.insert(tx, ports.settings().approvalExpiry());
        return new Attempt.Settled(made.id().value(), answer(made, job.ruling(), submission.requestId()));
    }

    private static dev.nonbis.core.idempotency.RecordedAnswer answer(Job job, Ruling ruling, String requestId) {
        if (job.state() == JobState.DENIED && ruling.verdict() instanceof Verdict.Deny deny) {
            var problem = Problem.of(ProblemCode.POLICY_DENIED, "The policy does not allow this job.")
                    .with(JsonObject.builder()
                            .put("job_id", job.id().value())
                            .put("deny_code", deny.code())
                            .putString("matched_rule_id", deny.rule())
                            .build());
            return Answers.problem(problem, requestId);
        }
        return Answers.ok(new JsonText()
                .put("job_id", job.id().value())
                .put("state", job.state().name())
                .put("trace_id", job.origin().traceId())
                .put("request_hash", job.origin().requestHash())
                .put("created_at", Timestamps.format(job.origin().createdAt())));
    }

    private static Problem throttled(Verdict.Throttle throttle) {
        return Problem.of(ProblemCode.POLICY_THROTTLED, "The policy holds this job back for now.")
                .after(throttle.delay());
    }

    /** What every admission reads. The key is not among it: it was looked for just before, and mostly it is absent. */
    static List<RowRef<?, ?>> reads(Submission submission) {
        return List.of(Tables.TENANTS.row(submission.actor().tenant()));
    }
}
