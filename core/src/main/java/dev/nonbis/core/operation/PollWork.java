package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hands messages to a worker, unless the job's state says that there is nothing to do for them. What is handed out at once ends with the
 * message that reaches {@link Page#MAX_BYTES}; the others stay in the queue as they are.
 */
public final class PollWork {

    private static final int MAX_ROUNDS = 100;

    private final DispatchPorts ports;

    public PollWork(DispatchPorts ports) {
        this.ports = ports;
    }

    /** Which work a worker takes. */
    public record Wanted(TenantId tenant, List<String> topics, int max) {}

    /**
     * One execution to do, with what was asked.
     *
     * @param job without its timeline
     * @param asked the request's canonical form
     */
    @SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
    public record Delivery(Job job, byte[] asked) {

        private static final byte[] NOTHING = {'{', '}'};

        private static Delivery of(ReadTx tx, Job job) {
            byte[] asked = Admissions.find(tx::find, job).map(Admission::body).orElse(NOTHING);
            return new Delivery(job.with(job.duplicates(), Timeline.EMPTY), asked);
        }

        public int fence() {
            return job.progress().execution();
        }

        /** The same for every execution of the job and of those that took its place, for the worker's own calls. */
        public String idempotencyKey() {
            String first = job.spec()
                    .labels()
                    .getOrDefault(DeadLetter.RETRY_OF, job.id().value());
            byte[] name = (job.tenant() + "/" + first).getBytes(StandardCharsets.UTF_8);
            return "nonbis-" + Sha256.hex(name).substring(0, 32);
        }
    }

    /** What a message is worth. */
    private sealed interface Worth {

        record Work(Delivery delivery) implements Worth {}

        /** Its publish is not settled yet; it comes back later. */
        record NotYet() implements Worth {}

        /** The answer is full. */
        record NoRoom(Message message) implements Worth {}

        record Nothing(Message message, Optional<Job> job) implements Worth {}
    }

    /** What there is now; does not wait. */
    public List<Delivery> poll(Wanted wanted) {
        // A bus apart from the store still has the messages of executions that were given up; they must not hide what
        // is behind them.
        for (int round = 0; round < MAX_ROUNDS; round++) {
            var messages = ports.bus().take(wanted.tenant(), wanted.topics(), wanted.max(), Page.MAX_BYTES);
            if (messages.isEmpty()) {
                return List.of();
            }
            var deliveries = handOut(messages);
            if (!deliveries.isEmpty()) {
                return deliveries;
            }
        }
        return List.of();
    }

    private List<Delivery> handOut(List<Message> messages) {
        var deliveries = new ArrayList<Delivery>();
        for (var worth : ports.store().read(tx -> weigh(tx, messages))) {
            switch (worth) {
                case Worth.Work(var delivery) -> deliveries.add(delivery);
                case Worth.NotYet() -> {}
                case Worth.NoRoom(var message) -> ports.bus().giveBack(message);
                case Worth.Nothing(var message, var job) -> {
                    ports.bus().settle(message);
                    job.ifPresentOrElse(
                            known -> ports.listener().blocked(known, Layer.JOB_STATE, "delivery"),
                            ports.listener()::unasked);
                }
            }
        }
        return deliveries;
    }

    /** What there is to do for a job that a worker has started. */
    public Delivery delivery(Job job) {
        return ports.store().read(tx -> Delivery.of(tx, job));
    }

    // Not every bus knows how large the work is that its messages are about.
    private static List<Worth> weigh(ReadTx tx, List<Message> messages) {
        var worths = new ArrayList<Worth>();
        long bytes = 0;
        for (var message : messages) {
            var worth = bytes < Page.MAX_BYTES ? weigh(tx, message) : new Worth.NoRoom(message);
            worths.add(worth);
            bytes += worth instanceof Worth.Work(var delivery) ? delivery.asked().length : 0;
        }
        return worths;
    }

    private static Worth weigh(ReadTx tx, Message message) {
        var found = tx.find(Tables.JOBS, new Tables.JobKey(message.tenant(), message.job()));
        if (found.isEmpty() || found.get().progress().execution() != message.execution()) {
            return new Worth.Nothing(message, found);
        }
        var job = found.get();
        return switch (job.state()) {
            case DISPATCHED -> new Worth.Work(Delivery.of(tx, job));
            case PENDING, SCHEDULED -> new Worth.NotYet();
            case APPROVAL, RUNNING, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED ->
                new Worth.Nothing(message, found);
        };
    }
}
