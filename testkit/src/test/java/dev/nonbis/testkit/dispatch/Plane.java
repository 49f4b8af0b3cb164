package dev.nonbis.testkit.dispatch;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.core.dispatch.Result;
import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.CancelJob;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchListener;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.RecordResult;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.operation.StartJob;
import dev.nonbis.core.operation.Submission;
import dev.nonbis.core.operation.SubmitJob;
import dev.nonbis.core.operation.WorkerCall;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.run.Budget;
import dev.nonbis.core.run.Expressions;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import dev.nonbis.testkit.SimulatedClock;
import dev.nonbis.testkit.bus.FaultyBus;
import dev.nonbis.testkit.store.FaultyBackend;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** A plane without HTTP, whose store and bus fail when told to, and whose loops run when told to. */
final class Plane {

    static final Actor ALICE = new Actor(new TenantId("acme"), "alice", Set.of(Role.ADMIN));

    final SimulatedClock clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
    final FaultyBackend.Script storeFaults = new FaultyBackend.Script();
    final Store store = new DirectStore(new FaultyBackend(new MemoryBackend(), storeFaults));
    final EmbeddedBus embedded = new EmbeddedBus(store, clock);
    final FaultyBus faultyBus = new FaultyBus(embedded);
    final List<String> told = new ArrayList<>();
    /** Topics whose jobs nothing can be done with. */
    final Set<String> brokenTopics = new HashSet<>();

    TopicRules rules = TopicRules.DEFAULTS;
    final Ports ports = new Ports(
            store,
            clock,
            new Ids(clock, new SplittableRandom(1)),
            Policy.ALLOW_ALL,
            NO_EXPRESSIONS,
            new KeyRing(SigningKey.generate(), List.of()),
            Settings.DEFAULTS);
    final DispatchPorts dispatching;

    private Plane(boolean embeddedOnly) {
        Bus bus = embeddedOnly ? embedded : faultyBus;
        dispatching = new DispatchPorts(ports, bus, this::rulesOf, new DispatchListener() {
            @Override
            public void retried(String topic, Phase phase) {
                told.add("retried " + phase.word());
            }

            @Override
            public void rolledBack(String topic) {
                told.add("rolled back");
            }

            @Override
            public void rollbackFailed(String topic) {
                told.add("rollback failed");
            }

            @Override
            public void failed(Job job, RuntimeException why) {
                told.add("failed");
            }

            @Override
            public void blocked(Job job, Layer layer, String kind) {
                told.add(layer.word() + " " + kind);
            }
        });
    }

    private TopicRules rulesOf(String topic) {
        if (brokenTopics.contains(topic)) {
            throw new IllegalStateException("a fault on purpose: no rules for " + topic);
        }
        return rules;
    }

    /** With the bus inside the store. */
    static Plane embedded() {
        return new Plane(true);
    }

    /** With a bus apart from the store, which may fail. */
    static Plane apart() {
        return new Plane(false);
    }

    JobId submit() {
        return submit(ALICE, "job.default", Optional.empty(), Optional.empty());
    }

    /** With a name for its message that an operator chose. */
    JobId submitNamed(String name) {
        return submit(
                ALICE,
                new Job.Spec("job.default", Map.of(MessageId.OVERRIDE, name), Optional.empty(), Optional.empty()));
    }

    void cancel(JobId id) {
        new CancelJob(ports).cancel(ALICE, id, Optional.empty());
    }

    JobId submit(Actor actor, String topic, Optional<Long> deadlineMs, Optional<Integer> maxAttempts) {
        return submit(actor, new Job.Spec(topic, Map.of(), deadlineMs, maxAttempts));
    }

    private JobId submit(Actor actor, Job.Spec spec) {
        return submit(
                actor, spec, JsonObject.builder().put("topic", spec.topic()).build());
    }

    /** With an input that makes the request about this long. */
    JobId submitLarge(int bytes) {
        var spec = new Job.Spec("job.default", Map.of(), Optional.empty(), Optional.empty());
        var input = JsonObject.builder().put("x", "x".repeat(bytes)).build();
        return submit(ALICE, spec, JsonObject.builder().put("input", input).build());
    }

    /** As an older server leaves them, and as a bus apart has them. */
    void forgetSizesOfMessages() {
        var all = store.read(tx -> tx.scan(Range.keysStartingWith(Tables.MESSAGES, "")));
        store.transact(tx -> {
            for (var hit : all) {
                var queued = hit.row();
                var message = queued.message();
                var bare = new Message(
                        message.id(), message.subject(), message.tenant(), message.job(), message.execution());
                tx.put(
                        Tables.MESSAGES,
                        queued.key(),
                        new QueuedMessage(bare, queued.acceptedAt(), queued.visibleAt(), queued.deliveries()));
            }
            return all;
        });
    }

    /** How often the job's message was handed out. */
    int deliveries(JobId id) {
        return store.read(tx -> tx.scan(Range.keysStartingWith(Tables.MESSAGES, ""))).stream()
                .map(Range.Hit::row)
                .filter(queued -> queued.message().job().equals(id))
                .mapToInt(QueuedMessage::deliveries)
                .sum();
    }

    private JobId submit(Actor actor, Job.Spec spec, JsonObject body) {
        var trace = new Submission.Ids(ports.ids().request(), Optional.empty());
        var submission = Submission.of(actor, trace, body, Optional.empty(), Map.of());
        return switch (new SubmitJob(ports).submit(submission, spec)) {
            case Outcome.Fresh(var subject, var answer) -> new JobId(subject);
            default -> throw new AssertionError("not admitted");
        };
    }

    Job job(JobId id) {
        return store.find(Tables.JOBS, new Tables.JobKey(ALICE.tenant(), id)).orElseThrow();
    }

    /** A damaged row: a job with a deadline that says it is the step of a run that there is not. */
    void stepOfNoRun(String topic, Duration deadline) {
        var id = submit(ALICE, topic, Optional.of(deadline.toMillis()), Optional.empty());
        var key = new Tables.JobKey(ALICE.tenant(), id);
        store.transact(tx -> {
            var job = tx.get(Tables.JOBS, key);
            var origin = new Job.Origin(
                    job.origin().submittedBy(),
                    job.origin().trace(),
                    job.origin().requestHash(),
                    job.origin().createdAt(),
                    Optional.of(new Job.StepRef(new RunId("run_00000000000000000000000000"), "step")));
            tx.update(
                    Tables.JOBS,
                    key,
                    new Job(
                            id,
                            job.tenant(),
                            job.spec(),
                            origin,
                            job.state(),
                            job.due(),
                            job.progress(),
                            job.duplicates(),
                            job.timeline()));
            return key;
        });
    }

    long inState(JobState state) {
        return store.find(Tables.TENANTS, ALICE.tenant()).orElseThrow().jobs().in(state);
    }

    /** One round of the dispatch loop on a server of its own. */
    void dispatch() {
        new Dispatch(dispatching).runOnce();
    }

    void reconcile() {
        new Reconcile(dispatching).runOnce();
    }

    void pass(Duration time) {
        clock.advance(time);
    }

    List<PollWork.Delivery> poll(int max) {
        return new PollWork(dispatching).poll(new PollWork.Wanted(ALICE.tenant(), List.of("job.default"), max));
    }

    WorkerCall call(JobId id, String worker, int fence) {
        return new WorkerCall(ALICE, ports.ids().request(), id, worker, fence);
    }

    StartJob.Outcome start(JobId id, String worker, int fence) {
        return new StartJob(dispatching).start(call(id, worker, fence));
    }

    RecordResult.Outcome result(JobId id, String worker, int fence, Result.Status status) {
        var content = new Result.Content(status, Optional.empty(), Optional.empty());
        return new RecordResult(dispatching).record(call(id, worker, fence), content);
    }

    private static final Expressions NO_EXPRESSIONS = new Expressions() {
        @Override
        public Optional<String> complaint(String expression) {
            return Optional.of("there are none here");
        }

        @Override
        public Result evaluate(String expression, JsonObject scope, Budget budget) {
            return new Result.Failed("there are none here");
        }
    };
}
