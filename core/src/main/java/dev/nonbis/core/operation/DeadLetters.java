package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.DeadLetter.Retry;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.JobMoves.Move;
import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Jobs that ran out of attempts: looks at them, has them tried again, removes them. */
public final class DeadLetters {

    private final DispatchPorts ports;
    private final ResolveUnknown resolve;

    public DeadLetters(DispatchPorts ports) {
        this.ports = ports;
        this.resolve = new ResolveUnknown(ports);
    }

    /** How a call to retry ended. */
    public sealed interface Outcome {

        record Retried(DeadLetter letter, Retry retry) implements Outcome {}

        record AlreadyRetried(DeadLetter letter, Retry retry) implements Outcome {}

        /** A message that names no job cannot be tried again. */
        record NoJob(DeadLetter letter) implements Outcome {}

        record NoSuchLetter() implements Outcome {}
    }

    public Page<DeadLetter> list(TenantId tenant, Optional<JobId> after, int limit) {
        return Page.of(
                ports.store(),
                Range.keysStartingWith(Tables.DEAD_LETTERS, tenant + "/"),
                after.map(id -> tenant + "/" + id),
                letter -> true,
                limit);
    }

    /**
     * Has the work done again, once for each letter. A job that FAILED has ended for good, so a new one takes its place; one that is
     * UNKNOWN goes on itself, under a higher fence and the same key.
     */
    public Outcome retry(Actor actor, String requestId, JobId id) {
        Instant now = ports.now();
        var newId = ports.ports().ids().job();
        var key = new DeadLetter.Key(actor.tenant(), id);
        return ports.store().transact(reads(key), tx -> {
            var found = tx.find(Tables.DEAD_LETTERS, key);
            if (found.isEmpty()) {
                return new Outcome.NoSuchLetter();
            }
            var letter = found.get();
            if (letter.message().isPresent()) {
                return new Outcome.NoJob(letter);
            }
            if (letter.retry().isPresent()) {
                return new Outcome.AlreadyRetried(letter, letter.retry().get());
            }
            var job = tx.get(Tables.JOBS, new Tables.JobKey(actor.tenant(), id));
            var again = job.state() == JobState.UNKNOWN ? id : newId;
            var retry = new Retry(again, actor.subject(), now, requestId);
            if (job.state() == JobState.UNKNOWN) {
                var note = JsonObject.builder()
                        .put("by", actor.subject())
                        .put("why", "dead_letter_retry")
                        .build();
                resolve.apply(tx, job, ResolveUnknown.Word.RETRY, new Move(actor.subject(), now, note));
            } else {
                copy(tx, job, newId, now);
            }
            var retried = letter.retried(retry);
            tx.put(Tables.DEAD_LETTERS, key, retried);
            audit(
                    tx,
                    actor,
                    "dead_letter.retried",
                    id,
                    JsonObject.builder().put("job", again.value()).build(),
                    now);
            return new Outcome.Retried(retried, retry);
        });
    }

    /** Keeps a message that names no job; once, however often it is delivered. */
    public void keep(DeadLetter unreadable) {
        ports.store().transact(List.of(Tables.DEAD_LETTERS.row(unreadable.key())), tx -> {
            if (tx.find(Tables.DEAD_LETTERS, unreadable.key()).isEmpty()) {
                tx.insert(Tables.DEAD_LETTERS, unreadable.key(), unreadable);
            }
            return unreadable;
        });
    }

    /** Removes a letter; returns whether there was one. */
    public boolean discard(Actor actor, JobId id, Optional<String> reason) {
        Instant now = ports.now();
        var key = new DeadLetter.Key(actor.tenant(), id);
        return ports.store().transact(reads(key), tx -> {
            if (tx.find(Tables.DEAD_LETTERS, key).isEmpty()) {
                return false;
            }
            tx.delete(Tables.DEAD_LETTERS, key);
            audit(
                    tx,
                    actor,
                    "dead_letter.discarded",
                    id,
                    JsonObject.builder().putString("reason", reason).build(),
                    now);
            return true;
        });
    }

    // Policy and humans have let this work through before, and an operator asks for it now.
    private void copy(Tx tx, Job job, JobId newId, Instant now) {
        var ruling = new Ruling(new Verdict.Allow(Optional.empty()), Optional.empty());
        var origin = new Job.Origin(
                job.origin().submittedBy(), job.origin().traceId(), job.origin().requestHash(), now, Optional.empty());
        new NewJob(newId, job.tenant(), specOfCopy(job.spec()), origin, ruling, false)
                .insert(tx, ports.ports().settings().approvalExpiry());
        var admission = tx.get(
                Tables.ADMISSIONS, new Admission.Key(job.tenant(), job.id().value()));
        tx.insert(Tables.ADMISSIONS, new Admission.Key(job.tenant(), newId.value()), admission);
    }

    // The name of the old job's message would make the new one's a duplicate.
    private static Job.Spec specOfCopy(Job.Spec spec) {
        var labels = new HashMap<>(spec.labels());
        labels.remove(MessageId.OVERRIDE);
        return new Job.Spec(spec.topic(), labels, spec.deadlineMs(), spec.maxAttempts());
    }

    private static void audit(Tx tx, Actor actor, String type, JobId job, JsonObject data, Instant now) {
        Audit.append(
                tx,
                actor.tenant(),
                new AuditEvent.Draft(
                        now, type, actor.subject(), job.value(), Optional.empty(), Optional.empty(), data));
    }

    private static List<RowRef<?, ?>> reads(DeadLetter.Key key) {
        return List.of(
                Tables.DEAD_LETTERS.row(key),
                Tables.JOBS.row(new Tables.JobKey(key.tenant(), key.job())),
                Tables.TENANTS.row(key.tenant()));
    }
}
