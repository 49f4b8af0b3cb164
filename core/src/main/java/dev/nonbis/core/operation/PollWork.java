package dev.nonbis.core.operation;

import dev.nonbis.core.dispatch.DeadLetter;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.operation.DispatchListener.Layer;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hands messages to a worker, unless the job's state says that there is nothing to do for them. */
public final class PollWork {

    private static final int MAX_ROUNDS = 100;

    private final DispatchPorts ports;

    public PollWork(DispatchPorts ports) {
        this.ports = ports;
    }

    /** Which work a worker takes. */
    public record Wanted(TenantId tenant, List<String> topics, int max) {}

    /** One execution to do, with what was asked. */
    public record Delivery(Job job, JsonObject asked) {

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

        record Nothing(Message message, Optional<Job> job) implements Worth {}
    }

    /** What there is now; does not wait. */
    public List<Delivery> poll(Wanted wanted) {
        // A bus apart from the store still has the messages of executions that were given up; they must not hide what
        // is behind them.
        for (int round = 0; round < MAX_ROUNDS; round++) {
            var messages = ports.bus().take(wanted.tenant(), wanted.topics(), wanted.max());
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
        var worths = ports.store()
                .read(tx -> messages.stream().map(message -> weigh(tx, message)).toList());
        var deliveries = new ArrayList<Delivery>();
        for (var worth : worths) {
            switch (worth) {
                case Worth.Work(var delivery) -> deliveries.add(delivery);
                case Worth.NotYet() -> {}
                case Worth.Nothing(var message, var job) -> {
                    ports.bus().settle(message);
                    job.ifPresent(j -> ports.listener().blocked(j, Layer.JOB_STATE, "delivery"));
                }
            }
        }
        return deliveries;
    }

    /** What there is to do for a job that a worker has started. */
    public Delivery delivery(Job job) {
        return new Delivery(job, ports.store().read(tx -> asked(tx, Message.of(job))));
    }

    private static Worth weigh(ReadTx tx, Message message) {
        var found = tx.find(Tables.JOBS, new Tables.JobKey(message.tenant(), message.job()));
        if (found.isEmpty() || found.get().progress().execution() != message.execution()) {
            return new Worth.Nothing(message, found);
        }
        var job = found.get();
        return switch (job.state()) {
            case DISPATCHED -> new Worth.Work(new Delivery(job, asked(tx, message)));
            case PENDING, SCHEDULED -> new Worth.NotYet();
            case APPROVAL, RUNNING, UNKNOWN, SUCCEEDED, FAILED, TIMEOUT, CANCELLED, DENIED ->
                new Worth.Nothing(message, found);
        };
    }

    private static JsonObject asked(ReadTx tx, Message message) {
        return Admissions.find(tx::find, message.tenant(), message.job().value())
                .map(admission -> Json.parse(admission.body()) instanceof JsonObject body ? body : JsonObject.EMPTY)
                .orElse(JsonObject.EMPTY);
    }
}
