package dev.nonbis.core.operation;

import dev.nonbis.core.bus.LocalBus;
import dev.nonbis.core.bus.Queue;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.QueuedMessage.DepthKey;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobEvent;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.operation.DispatchListener.Phase;
import dev.nonbis.core.reconcile.ReconcileRules;
import dev.nonbis.core.reconcile.ReconcileRules.Action;
import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes jobs that wait and hands them to the bus, state first: a job is DISPATCHED, with the publish promised in the same write,
 * before its message can be seen. Every tenant and topic has its turn, and a job costs the same however many wait behind it.
 */
public final class Dispatch {

    private static final int BATCH = 512;
    private static final int TURN = 128;
    // Queues that are full, or whose jobs are not due yet, cost a look too. The next round goes on behind them.
    private static final int MAX_QUEUES = 1000;
    // Above every digit, so that it is behind all of a queue.
    private static final String BEHIND = "~";

    private final DispatchPorts ports;
    private final Publishing publishing;
    private final JobMoves moves;
    private final SetAside aside;
    private final Consumer<List<Message>> onEnqueued;
    private String nextTurn = DueEntries.READY;

    public Dispatch(DispatchPorts ports) {
        this(ports, messages -> {});
    }

    /** {@code onEnqueued} hears which messages a worker may find now in the store; a bus apart tells by itself. */
    public Dispatch(DispatchPorts ports, Consumer<List<Message>> onEnqueued) {
        this.ports = ports;
        this.onEnqueued = onEnqueued;
        this.publishing = new Publishing(ports);
        this.moves = new JobMoves(ports.ports());
        this.aside = new SetAside(this::failed);
    }

    /** What one write made of the jobs. */
    private record Written(List<Job> owed, List<Job> repeated, List<Message> enqueued, List<Job> queued) {

        Written() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    /** Dispatches one batch; returns how many jobs it looked at, so that the caller goes on while that is not zero. */
    public int runOnce() {
        if (ports.bus().trouble().isPresent()) {
            // A try that must fail would only use up an attempt. Whoever ends the trouble calls again.
            return 0;
        }
        Instant now = ports.now();
        var waiting = ports.store().read(tx -> pick(tx, now));
        if (waiting.isEmpty()) {
            return 0;
        }
        for (var written : aside.settle(waiting, now, jobs -> write(jobs, now))) {
            written.repeated().forEach(job -> ports.listener().blocked(job, Layer.BROKER_WINDOW, "publish"));
            if (ports.bus() instanceof LocalBus local) {
                local.committed(written.enqueued());
                onEnqueued.accept(written.enqueued());
                written.queued().forEach(ports.listener()::dispatched);
            }
            publishing.publish(written.owed());
        }
        return waiting.size();
    }

    private void failed(Job job, RuntimeException why) {
        ports.listener().retried(job.spec().topic(), Phase.DISPATCHED_WRITE);
        ports.listener().failed(job, why);
    }

    private Written write(List<Job> waiting, Instant now) {
        try {
            return ports.store().transact(reads(waiting), tx -> {
                var written = new Written();
                for (var seen : waiting) {
                    tx.find(Tables.JOBS, Tables.key(seen))
                            .filter(job -> isWaiting(job, now))
                            .ifPresent(job -> dispatch(tx, job, now, written));
                }
                return written;
            });
        } catch (StoreUnavailable e) {
            waiting.stream()
                    .map(job -> job.spec().topic())
                    .forEach(topic -> ports.listener().retried(topic, Phase.DISPATCHED_WRITE));
            throw e;
        }
    }

    private void dispatch(Tx tx, Job job, Instant now, Written written) {
        var rules = ports.topics().of(job.spec().topic());
        var tooLate = ReconcileRules.rule(job, rules, now);
        if (!(tooLate instanceof Action.Leave)) {
            moves.apply(tx, job, tooLate, now);
            return;
        }
        // A requeue has written SCHEDULED for this very try; a rollback has written it for the one that failed.
        boolean hasBegun =
                job.state() == JobState.SCHEDULED && job.progress().counts().failedPublishes() == 0;
        if (!hasBegun && !job.progress().hasAttemptsLeft(rules.maxAttempts(job))) {
            moves.apply(tx, job, ReconcileRules.outOfAttempts(job, "not_published"), now);
            return;
        }
        var scheduled = hasBegun ? job : job.after(JobEvent.SCHEDULE, now, JsonObject.EMPTY);
        var message = Message.of(scheduled);
        var note = JsonObject.builder()
                .put("execution", message.execution())
                .put("message_id", message.id().value())
                .build();
        var dispatched = Publishing.intended(scheduled.after(JobEvent.DISPATCH, now, note), now);
        if (ports.bus() instanceof LocalBus local) {
            switch (local.enqueue(tx, message, now)) {
                case ACCEPTED -> {
                    written.enqueued().add(message);
                    written.queued().add(dispatched);
                }
                case DUPLICATE -> written.repeated().add(dispatched);
            }
            JobRows.update(tx, job, Publishing.published(dispatched, rules.dispatchTimeout(), now));
        } else {
            JobRows.update(tx, job, dispatched);
            written.owed().add(dispatched);
        }
    }

    private static boolean isWaiting(Job job, Instant now) {
        return (job.state() == JobState.PENDING || job.state() == JobState.SCHEDULED)
                && job.due().filter(due -> !due.isAfter(now)).isPresent();
    }

    private List<Job> pick(ReadTx tx, Instant now) {
        var round = new Round();
        String from = nextTurn;
        String reached = pick(tx, from, DueEntries.READY + BEHIND, now, round);
        if (!round.isOver()) {
            reached = pick(tx, DueEntries.READY, from, now, round);
        }
        nextTurn = reached;
        return round.picked;
    }

    /** What one look into the queues has found so far. */
    private static final class Round {

        private final List<Job> picked = new ArrayList<>();
        private int queues;

        boolean isOver() {
            return picked.size() >= BATCH || queues == MAX_QUEUES;
        }
    }

    // Jumps from the first job of one queue to the first job of the next.
    private String pick(ReadTx tx, String from, String to, Instant now, Round round) {
        String position = from;
        while (!round.isOver()) {
            round.queues++;
            var first = tx.scan(Range.entriesUpTo(Tables.JOBS, Tables.JOBS_BY_DUE, position, to)
                    .limit(1));
            if (first.isEmpty()) {
                return from.equals(DueEntries.READY) ? to : DueEntries.READY;
            }
            var job = first.getFirst().row();
            String queue = DueEntries.ready(job.tenant(), job.spec().topic());
            int room = Math.min(TURN, Queue.room(tx, job.tenant(), job.spec().topic()));
            if (room > 0) {
                // What is due exactly now is due.
                String end = queue + Tables.dueEntry(now.plusNanos(1000));
                tx
                        .scan(Range.entriesUpTo(Tables.JOBS, Tables.JOBS_BY_DUE, queue, end)
                                .limit(room + aside.size()))
                        .stream()
                        .map(Range.Hit::row)
                        .filter(waiting -> !aside.holds(waiting, now))
                        .limit(room)
                        .forEach(round.picked::add);
            }
            position = queue + BEHIND;
        }
        return position;
    }

    private List<RowRef<?, ?>> reads(List<Job> jobs) {
        var rows = new ArrayList<RowRef<?, ?>>();
        for (var job : jobs) {
            rows.add(Tables.JOBS.row(Tables.key(job)));
            rows.add(Tables.TENANTS.row(job.tenant()));
            rows.add(Tables.QUEUES.row(new DepthKey(job.tenant(), job.spec().topic())));
            if (ports.bus() instanceof LocalBus local) {
                rows.addAll(local.reads(Message.of(job.progress().execution() == 0 ? firstTry(job) : job)));
            }
        }
        return rows;
    }

    // Only to know the name of the message before there is one.
    private static Job firstTry(Job job) {
        return job.after(JobEvent.SCHEDULE, job.origin().createdAt(), JsonObject.EMPTY);
    }
}
