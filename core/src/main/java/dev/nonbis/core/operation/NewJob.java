package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.job.Progress;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A job about to be made, whether submitted or as a step of a run; the row and its audit event are made together. */
record NewJob(JobId id, TenantId tenant, Job.Spec spec, Job.Origin origin, Ruling ruling, boolean approvalAsked) {

    /** Where the job begins. A throttled step begins later; a throttled submission is refused before it gets here. */
    JobState firstState() {
        return switch (ruling.verdict()) {
            case Verdict.Allow allow -> approvalAsked ? JobState.APPROVAL : JobState.PENDING;
            case Verdict.RequireApproval approval -> JobState.APPROVAL;
            case Verdict.Deny deny -> JobState.DENIED;
            case Verdict.Throttle throttle -> approvalAsked ? JobState.APPROVAL : JobState.PENDING;
        };
    }

    Job insert(Tx tx, Duration approvalExpiry) {
        var state = firstState();
        Instant now = origin.createdAt();
        var job =
                new Job(id, tenant, spec, origin, state, due(state), Progress.NONE, Duplicates.NONE, firstEntry(state));
        JobRows.insert(tx, job);
        if (state == JobState.APPROVAL) {
            askForApproval(tx, now.plus(approvalExpiry));
        }
        Audit.append(
                tx,
                tenant,
                new AuditEvent.Draft(
                        now,
                        "job.submitted",
                        origin.submittedBy(),
                        id.value(),
                        Optional.of(origin.requestHash()),
                        ruling.policyHash(),
                        auditData(state)));
        return job;
    }

    private Optional<Instant> due(JobState state) {
        return switch (state) {
            case PENDING -> Optional.of(origin.createdAt().plus(delay()));
            case APPROVAL, SCHEDULED, DISPATCHED, RUNNING, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED ->
                Optional.empty();
        };
    }

    private void askForApproval(Tx tx, Instant expiresAt) {
        var subject =
                new Approval.Subject(tenant, id.value(), origin.submittedBy(), origin.requestHash(), origin.trace());
        var approval = Approval.asked(
                subject, origin.createdAt(), expiresAt, ruling.verdict().rule());
        tx.insert(Tables.APPROVALS, approval.key(), approval);
    }

    private Duration delay() {
        return ruling.verdict() instanceof Verdict.Throttle throttle ? throttle.delay() : Duration.ZERO;
    }

    private Timeline firstEntry(JobState state) {
        return new Timeline(List.of(new TimelineEntry(origin.createdAt(), state.name(), reason())));
    }

    private JsonObject reason() {
        var note = JsonObject.builder().putString("rule", ruling.verdict().rule());
        if (ruling.verdict() instanceof Verdict.Deny deny) {
            note.put("deny_code", deny.code());
        }
        return note.build();
    }

    private JsonObject auditData(JobState state) {
        var data = JsonObject.builder().put("state", state.name()).put("topic", spec.topic());
        origin.step().ifPresent(step -> data.put("run", step.run().value()).put("step", step.step()));
        data.putString("rule", ruling.verdict().rule());
        return data.build();
    }
}
