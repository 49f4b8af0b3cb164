package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.History;
import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.Bus.Published;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.testkit.store.MemoryBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A broker apart from the plane's store. It has the queue's own code inside, and loses, repeats, reorders and forgets around it. */
final class Broker {

    private final Agenda agenda;
    private final Weather weather;
    private final Chance chance;
    private final History history;
    private final Trace trace;
    private final BiFunction<EmbeddedBus, Store, Bus> made;
    private final List<Message> seen = new ArrayList<>();
    private Store memory = new DirectStore(new MemoryBackend());
    private EmbeddedBus queue;
    private Bus front;

    /** Where a broker stands. */
    record Surroundings(Agenda agenda, Weather weather, Chance chance, History history, Trace trace) {}

    Broker(Surroundings around, BiFunction<EmbeddedBus, Store, Bus> made) {
        this.agenda = around.agenda;
        this.weather = around.weather;
        this.chance = around.chance;
        this.history = around.history;
        this.trace = around.trace;
        this.made = made;
        this.queue = new EmbeddedBus(memory, agenda);
        this.front = made.apply(queue, memory);
    }

    Published publish(Message message) {
        var published = front.publish(message);
        boolean accepted = published == Published.ACCEPTED;
        history.published(new History.Publish(
                message.tenant().value(), message.id().value(), message.job().value(), accepted, agenda.micros()));
        if (accepted && weather.losesMessage()) {
            // It keeps the name and loses the message.
            trace.tell(() -> "the broker loses " + message.id());
            front.settle(message);
        }
        if (seen.size() < 200) {
            seen.add(message);
        } else {
            seen.set(chance.below(seen.size()), message);
        }
        return published;
    }

    List<Message> take(TenantId tenant, List<String> subjects, int max, long bytes) {
        var taken = new ArrayList<>(front.take(tenant, subjects, max, bytes));
        if (weather.losesMessage()) {
            seen.stream()
                    .filter(old -> old.tenant().equals(tenant) && subjects.contains(old.subject()))
                    .skip(chance.below(Math.max(1, seen.size())))
                    .findFirst()
                    .ifPresent(old -> {
                        trace.tell(() -> "the broker repeats " + old.id());
                        taken.add(old);
                    });
        }
        if (!taken.isEmpty() && weather.losesMessage()) {
            var lost = taken.remove(chance.below(taken.size()));
            trace.tell(() -> "the broker loses " + lost.id() + " on its way to a worker");
        }
        var inOrder = trace.isHeard() ? List.copyOf(taken) : taken;
        chance.shuffle(taken);
        if (!taken.isEmpty()) {
            trace.tell(() -> "the broker hands out " + ids(taken) + (taken.equals(inOrder) ? "" : ", reordered"));
        }
        return taken;
    }

    private static String ids(List<Message> messages) {
        return messages.stream().map(message -> message.id().toString()).collect(Collectors.joining(", "));
    }

    void giveBack(Message message) {
        front.giveBack(message);
    }

    void settle(Message message) {
        front.settle(message);
    }

    void purge() {
        queue.purge();
    }

    /** Loses all that it has, names too. */
    void forget() {
        memory = new DirectStore(new MemoryBackend());
        queue = new EmbeddedBus(memory, agenda);
        front = made.apply(queue, memory);
        history.brokerForgot();
    }
}
