package dev.nonbis.core.operation;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.DeadLetter.Retry;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.JobMoves.Move;
import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.LinkedHashMap;
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

        /** The policy of today does not allow it; nothing has changed. */
        record Denied(Verdict.Deny verdict) implements Outcome {}

        /** The policy holds it back for now; nothing has changed. */
        record Throttled(Verdict.Throttle verdict) implements Outcome {}

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
     * Has the work done again, once for each letter. A job that FAILED has ended for good, so a new one takes its place, which the policy
     * and, where one was asked before, a human have to let through anew; one that is UNKNOWN goes on itself, under a higher fence. Either
     * way workers get the key of the first one, so that whatever it may have done after all is recognised.
     */
    public Outcome retry(Actor actor, String requestId, JobId id) {
        var call = new RetryCall(actor, requestId, id, ports.ports().ids().job(), ports.now());
        var ruling = ports.store().read(tx -> ruling(tx, call.jobKey()));
        return ports.store()
                .transact(
                        reads(call.key()),
                        tx -> tx.find(Tables.DEAD_LETTERS, call.key())
                                .map(letter -> letter.retry()
                                        .<Outcome>map(retry -> new Outcome.AlreadyRetried(letter, retry))
                                        .orElseGet(() -> retry(tx, letter, call, ruling)))
                                .orElseGet(Outcome.NoSuchLetter::new));
    }

    /** One call to retry, with what it needs of the world. */
    private record RetryCall(Actor actor, String requestId, JobId job, JobId newJob, Instant now) {

        DeadLetter.Key key() {
            return new DeadLetter.Key(actor.tenant(), job);
        }

        Tables.JobKey jobKey() {
            return new Tables.JobKey(actor.tenant(), job);
        }
    }

    private Outcome retry(Tx tx, DeadLetter letter, RetryCall call, Ruling ruling) {
        if (letter.message().isPresent()) {
            return new Outcome.NoJob(letter);
        }
        var job = tx.get(Tables.JOBS, call.jobKey());
        if (job.state() == JobState.UNKNOWN) {
            var note = JsonObject.builder()
                    .put("by", call.actor().subject())
                    .put("why", "dead_letter_retry")
                    .build();
            resolve.apply(
                    tx, job, ResolveUnknown.Word.RETRY, new Move(call.actor().subject(), call.now(), note));
            return retried(tx, letter, call, call.job());
        }
        return switch (ruling.verdict()) {
            case Verdict.Deny deny -> new Outcome.Denied(deny);
            case Verdict.Throttle throttle -> new Outcome.Throttled(throttle);
            case Verdict.Allow allow -> copied(tx, letter, call, job, ruling);
            case Verdict.RequireApproval approval -> copied(tx, letter, call, job, ruling);
        };
    }

    private Outcome copied(Tx tx, DeadLetter letter, RetryCall call, Job job, Ruling ruling) {
        copy(tx, job, call, ruling);
        return retried(tx, letter, call, call.newJob());
    }

    private static Outcome retried(Tx tx, DeadLetter letter, RetryCall call, JobId again) {
        var retry = new Retry(again, call.actor().subject(), call.now(), call.requestId());
        var retried = letter.retried(retry);
        tx.put(Tables.DEAD_LETTERS, call.key(), retried);
        audit(
                tx,
                call.actor(),
                "dead_letter.retried",
                call.job(),
                JsonObject.builder().put("job", again.value()).build(),
                call.now());
        return new Outcome.Retried(retried, retry);
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

    // Asked above the transaction, as for a new job; what was asked for never changes.
    private Ruling ruling(ReadTx tx, Tables.JobKey key) {
        var job = tx.find(Tables.JOBS, key);
        var asked = Admissions.find(tx::find, key.tenant(), key.id().value())
                .map(admission -> Json.parse(admission.body()) instanceof JsonObject body ? body : JsonObject.EMPTY);
        if (job.isEmpty() || asked.isEmpty()) {
            return new Ruling(new Verdict.Allow(Optional.empty()), Optional.empty());
        }
        var workflow = job.get()
                .origin()
                .step()
                .flatMap(step -> tx.find(Tables.RUNS, Tables.runKey(key.tenant(), step.run()))
                        .map(run -> run.origin().workflow()));
        return ports.ports().policy().job(key.tenant(), PolicyView.again(job.get(), asked.get(), workflow));
    }

    private void copy(Tx tx, Job job, RetryCall call, Ruling ruling) {
        var origin = new Job.Origin(
                job.origin().submittedBy(),
                job.origin().trace(),
                job.origin().requestHash(),
                call.now(),
                Optional.empty());
        boolean humanWasAsked = tx.find(
                        Tables.APPROVALS,
                        new Approval.Key(job.tenant(), job.id().value()))
                .isPresent();
        new NewJob(call.newJob(), job.tenant(), specOfCopy(job), origin, ruling, humanWasAsked)
                .insert(tx, ports.ports().settings().approvalExpiry());
        var admission = Admissions.get(tx::find, job.tenant(), job.id().value());
        Admissions.keep(tx, job.tenant(), call.newJob().value(), admission);
    }

    // The name of the old job's message would make the new one's a duplicate, and its approval was for itself.
    private static Job.Spec specOfCopy(Job job) {
        var labels = new LinkedHashMap<>(job.spec().labels());
        labels.remove(MessageId.OVERRIDE);
        labels.remove(Decide.APPROVAL_GRANTED);
        labels.putIfAbsent(DeadLetter.RETRY_OF, job.id().value());
        return new Job.Spec(
                job.spec().topic(), labels, job.spec().deadlineMs(), job.spec().maxAttempts());
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
