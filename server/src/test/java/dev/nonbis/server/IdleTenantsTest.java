package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.idempotency.Outcome;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.AnnounceResults;
import dev.nonbis.core.operation.CancelJob;
import dev.nonbis.core.operation.CountJobs;
import dev.nonbis.core.operation.CountWaiting;
import dev.nonbis.core.operation.DeliverWebhooks;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.operation.MeasureBacklog;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PurgeExpired;
import dev.nonbis.core.operation.PutWebhook;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.operation.Submission;
import dev.nonbis.core.operation.SubmitJob;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender.Outcome.Answered;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.metrics.DispatchMetrics;
import dev.nonbis.server.metrics.Metrics;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.store.postgres.Postgres;
import dev.nonbis.server.store.postgres.PostgresAddress;
import dev.nonbis.server.store.postgres.PostgresStore;
import dev.nonbis.server.store.sql.SqliteStore;
import dev.nonbis.server.webhook.WebhookThreads;
import dev.nonbis.testkit.SimulatedClock;
import dev.nonbis.testkit.store.CountedBackend;
import dev.nonbis.testkit.store.MemoryBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Background work costs what is due, not what is there; and all that is due is done. */
@Timeout(600)
class IdleTenantsTest {

    private static final int WEBHOOKS_EACH = PutWebhook.MOST;
    // Each of the thirteen pieces of work looks once into an index or two.
    private static final int CALLS_WHEN_IDLE = 20;

    @TempDir
    Path directory;

    @Test
    void ten_thousand_idle_tenants_and_five_thousand_webhooks_in_memory() {
        runs(new MemoryBackend(), 10_000, 50);
    }

    @Test
    void many_on_disk() {
        runs(
                SqliteStore.open(directory.resolve("nonbis.db"), failure -> {
                    throw new AssertionError(failure);
                }),
                100,
                1);
    }

    @Test
    void many_on_postgresql() throws Exception {
        try (var server = Postgres.startOrSkip()) {
            server.createDatabase("idle");
            var address = new PostgresAddress(server.host() + ":" + server.port(), "idle", server.user(), "", Map.of());
            var settings = new PostgresStore.Settings(6, 6, Duration.ofSeconds(2), true);
            runs(PostgresStore.open(address, settings).backend(), 100, 1);
        }
    }

    private static void runs(Backend backend, int tenants, int withWebhooks) {
        try (var plane = new Plane(new CountedBackend(backend))) {
            plane.addTenants(0, tenants, withWebhooks);
            long idle = plane.callsOfOneRound();
            assertThat(idle).isLessThanOrEqualTo(CALLS_WHEN_IDLE);

            plane.addTenants(tenants, 2 * tenants / 10, 0);
            assertThat(plane.callsOfOneRound()).isEqualTo(idle);
            assertThat(plane.countJobs.count()).containsEntry(JobState.CANCELLED, tenants + 2L * tenants / 10);

            plane.deliversToEveryWebhook(withWebhooks);
            await().until(plane::callsOfOneRound, calls -> calls == idle);
        }
    }

    @Test
    void queues_in_which_nothing_is_due_are_looked_at_in_turns_and_hide_no_other() {
        try (var plane = new Plane(new CountedBackend(new MemoryBackend()))) {
            plane.scheduleForLater(2_500);
            var job = plane.submit(Plane.actor(99_999));

            long before = plane.backend.calls();
            plane.dispatch.runOnce();
            assertThat(plane.backend.calls() - before).isLessThan(3_100);

            for (int i = 0; i < 2; i++) {
                plane.dispatch.runOnce();
            }
            assertThat(plane.state(99_999, job)).isEqualTo(JobState.DISPATCHED);
        }
    }

    /** A server's background work, with nothing around it. */
    private static final class Plane implements AutoCloseable {

        private final SimulatedClock clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
        private final Set<Webhook.Key> told = ConcurrentHashMap.newKeySet();
        private final CountedBackend backend;
        private final DirectStore store;
        private final Ports ports;
        private final SealCheckpoint seal;
        private final DropSegment drop;
        private final Dispatch dispatch;
        private final CountJobs countJobs;
        private final DeliverWebhooks deliver;
        private final WebhookThreads webhooks;
        private final List<Runnable> work;

        private Plane(CountedBackend backend) {
            this.backend = backend;
            this.store = new DirectStore(backend);
            this.ports = new Ports(
                    store,
                    clock,
                    new Ids(clock, new SplittableRandom(1)),
                    Policy.ALLOW_ALL,
                    new CelExpressions(),
                    new KeyRing(SigningKey.generate(), List.of()),
                    Settings.DEFAULTS);
            var duplicates = new NoteDuplicates(ports);
            var dispatching = new DispatchPorts(
                    ports,
                    new EmbeddedBus(store, clock),
                    topic -> TopicRules.DEFAULTS,
                    new DispatchMetrics(new Metrics(), duplicates));
            this.seal = new SealCheckpoint(ports);
            this.drop = new DropSegment(ports);
            this.dispatch = new Dispatch(dispatching);
            this.countJobs = new CountJobs(ports);
            this.deliver = new DeliverWebhooks(ports, (webhook, message) -> {
                told.add(webhook.key());
                return new Answered(204);
            });
            this.webhooks = new WebhookThreads(deliver);
            this.work = List.of(
                    duplicates::runOnce,
                    new ExpireApprovals(ports)::runOnce,
                    new PurgeExpired(ports)::runSeveral,
                    seal::runOnce,
                    drop::runOnce,
                    new SweepNonces(ports)::runSeveral,
                    new EmbeddedBus(store, clock)::purge,
                    new Reconcile(dispatching)::runOnce,
                    dispatch::runOnce,
                    new AnnounceResults(dispatching)::runOnce,
                    webhooks::runOnce,
                    countJobs::count,
                    new CountWaiting(store)::count,
                    () -> new MeasureBacklog(store).measure(clock.instant()));
        }

        private static Actor actor(int number) {
            return new Actor(new TenantId("tenant-%05d".formatted(number)), "alice", Set.of(Role.ADMIN));
        }

        /** Each has had a job on the bus, every tenth has dropped the beginning of its log, and some have webhooks. */
        void addTenants(int first, int count, int withWebhooks) {
            var jobs = new ArrayList<JobId>();
            for (int i = first; i < first + count; i++) {
                if (i - first < withWebhooks) {
                    putWebhooks(actor(i));
                }
                jobs.add(submit(actor(i)));
            }
            dispatchAll();
            for (int i = 0; i < count; i++) {
                new CancelJob(ports).cancel(actor(first + i), jobs.get(i), Optional.empty());
            }
            settle();
            for (int i = first; i < first + count; i += 10) {
                var head = seal.seal(actor(i).tenant())
                        .orElseThrow()
                        .integer("seq")
                        .orElseThrow();
                drop.drop(actor(i), head, "old");
            }
            settle();
        }

        private void putWebhooks(Actor actor) {
            var put = new PutWebhook(ports);
            for (int i = 0; i < WEBHOOKS_EACH; i++) {
                var target = new Webhook.Target("https://example.com/" + i, List.of("job.submitted"));
                assertThat(put.put(actor, "w" + i, target, "whsec_")).isInstanceOf(PutWebhook.Result.Stored.class);
            }
        }

        JobId submit(Actor actor) {
            var body = JsonObject.builder().put("topic", "job.default").build();
            var submission = Submission.of(
                    actor,
                    new Submission.Ids(ports.ids().request(), Optional.empty()),
                    body,
                    Optional.empty(),
                    Map.of());
            var spec = new Job.Spec("job.default", Map.of(), Optional.empty(), Optional.empty());
            return switch (new SubmitJob(ports).submit(submission, spec)) {
                case Outcome.Fresh(var subject, var answer) -> new JobId(subject);
                default -> throw new AssertionError("not admitted");
            };
        }

        /** Jobs of as many tenants, each due in an hour. */
        void scheduleForLater(int count) {
            for (int i = 0; i < count; i++) {
                var key = new Tables.JobKey(actor(i).tenant(), submit(actor(i)));
                store.transact(tx -> {
                    var later = Optional.of(clock.instant().plus(Duration.ofHours(1)));
                    tx.update(Tables.JOBS, key, tx.get(Tables.JOBS, key).dueAt(later));
                    return key;
                });
            }
        }

        JobState state(int number, JobId job) {
            return store.find(Tables.JOBS, new Tables.JobKey(actor(number).tenant(), job))
                    .orElseThrow()
                    .state();
        }

        private void dispatchAll() {
            while (dispatch.runOnce() > 0) {}
        }

        /** Until nothing is due any more, now and later. */
        private void settle() {
            deliverAll();
            clock.advance(Duration.ofHours(1));
            for (var piece : work) {
                piece.run();
            }
            dispatchAll();
            while (new EmbeddedBus(store, clock).purge() > 0) {}
            // Sums were read anew an hour after the last time; from now on only what has changed is.
            clock.advance(Duration.ofMinutes(10));
            countJobs.count();
            deliverAll();
        }

        private void deliverAll() {
            deliver.wakeIdle();
            for (var webhook : deliver.due().toList()) {
                while (deliver.deliver(webhook)) {}
            }
        }

        long callsOfOneRound() {
            long before = backend.calls();
            work.forEach(Runnable::run);
            return backend.calls() - before;
        }

        void deliversToEveryWebhook(int withWebhooks) {
            told.clear();
            for (int i = 0; i < withWebhooks; i++) {
                submit(actor(i));
            }
            dispatchAll();

            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        webhooks.runOnce();
                        return told.size() == withWebhooks * WEBHOOKS_EACH;
                    });
            clock.advance(Duration.ofMinutes(1));
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
