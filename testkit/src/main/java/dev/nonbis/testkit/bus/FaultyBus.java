package dev.nonbis.testkit.bus;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A bus apart from the store that fails as it was told, and remembers what was handed to it. */
public final class FaultyBus implements Bus {

    /** How one publish goes. */
    public enum Fault {
        NONE,
        /** Nothing happens, and the caller is told so. */
        REFUSED,
        /** It happens, and the caller cannot know. */
        REPLY_LOST,
        /** The client of the bus has a mistake of its own. */
        BROKEN,
        /** The caller dies before it can publish. */
        CRASH
    }

    /** The publishing server is dead: nothing of it runs on. */
    public static final class Crashed extends Error {

        private static final long serialVersionUID = 1L;
    }

    /** How one publish goes, and what happens in the world while it hangs. */
    private record Step(Fault fault, Runnable meanwhile) {}

    private final Bus bus;
    private final Queue<Step> faults = new ArrayDeque<>();
    private final List<Message> accepted = new ArrayList<>();
    private final List<Announcement> announced = new ArrayList<>();

    public FaultyBus(Bus bus) {
        this.bus = bus;
    }

    /** How the publish after those named before goes; all others go well. */
    public synchronized FaultyBus then(Fault fault) {
        return then(fault, () -> {});
    }

    /** The same for a publish that hangs until this has happened. */
    public synchronized FaultyBus then(Fault fault, Runnable meanwhile) {
        faults.add(new Step(fault, meanwhile));
        return this;
    }

    /** What the bus took, repetitions left out. */
    public synchronized List<Message> accepted() {
        return List.copyOf(accepted);
    }

    @Override
    public synchronized Published publish(Message message) {
        var step = faults.isEmpty() ? new Step(Fault.NONE, () -> {}) : faults.remove();
        step.meanwhile().run();
        return switch (step.fault()) {
            case NONE -> hand(message);
            case REFUSED -> throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "a fault on purpose: refused");
            case REPLY_LOST -> {
                hand(message);
                throw new BusUnavailable(Fate.UNKNOWN, "a fault on purpose: reply lost");
            }
            case BROKEN -> throw new IllegalStateException("a fault on purpose: broken");
            case CRASH -> throw new Crashed();
        };
    }

    /** What it was told of results, repetitions too. */
    public synchronized List<Announcement> announced() {
        return List.copyOf(announced);
    }

    @Override
    public synchronized List<Handed> announceAll(List<Announcement> results) {
        return results.stream().map(this::announce).toList();
    }

    private Handed announce(Announcement result) {
        var step = faults.isEmpty() ? new Step(Fault.NONE, () -> {}) : faults.remove();
        step.meanwhile().run();
        return switch (step.fault()) {
            case NONE -> {
                announced.add(result);
                yield new Handed.Taken(Published.ACCEPTED);
            }
            case REFUSED -> new Handed.Failed(new BusUnavailable(Fate.DID_NOT_HAPPEN, "a fault on purpose: refused"));
            case REPLY_LOST -> {
                announced.add(result);
                yield new Handed.Failed(new BusUnavailable(Fate.UNKNOWN, "a fault on purpose: reply lost"));
            }
            case BROKEN -> new Handed.Broken(new IllegalStateException("a fault on purpose: broken"));
            case CRASH -> throw new Crashed();
        };
    }

    @Override
    public List<Message> take(TenantId tenant, List<String> subjects, int max, long bytes) {
        return bus.take(tenant, subjects, max, bytes);
    }

    @Override
    public void giveBack(Message message) {
        bus.giveBack(message);
    }

    @Override
    public void settle(Message message) {
        bus.settle(message);
    }

    private Published hand(Message message) {
        var published = bus.publish(message);
        if (published == Published.ACCEPTED) {
            accepted.add(message);
        }
        return published;
    }
}
