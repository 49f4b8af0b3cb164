package dev.nonbis.bench.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Work that can be left in the middle and taken up later, so that others come in between. Each flow has a thread only to have a stack: the
 * one that runs holds the baton, everybody else waits, and who gets it next is on the agenda.
 */
final class Flows {

    private final Agenda agenda;
    private final Set<Flow> alive = new LinkedHashSet<>();
    private final Map<Flow, Runnable> wakers = new HashMap<>();
    private @Nullable Flow running;
    private Optional<Throwable> failure = Optional.empty();

    Flows(Agenda agenda) {
        this.agenda = agenda;
    }

    /** The simulation is over and what still waits is given up. */
    static final class Over extends Error {

        private static final long serialVersionUID = 1L;

        Over() {
            super("the simulation is over", null, false, false);
        }
    }

    /** One piece of work. */
    final class Flow {

        private final Thread thread;
        private volatile Thread director = Thread.currentThread();
        private volatile boolean itsTurn;
        private volatile boolean over;

        private Flow(Runnable work) {
            this.thread = Thread.ofVirtual().unstarted(() -> run(work));
        }

        private void run(Runnable work) {
            try {
                work.run();
            } catch (Over givenUp) {
                over = true;
            } catch (RuntimeException | Error thrown) {
                failure = Optional.of(thrown);
            }
            alive.remove(this);
            giveBack();
        }

        // Called by the director: lets the flow run until it waits or ends.
        private void goOn() {
            if (!alive.contains(this)) {
                return;
            }
            running = this;
            director = Thread.currentThread();
            itsTurn = true;
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            } else {
                LockSupport.unpark(thread);
            }
            while (itsTurn) {
                LockSupport.park(this);
            }
            running = null;
            failure.ifPresent(Flows::raise);
        }

        private void giveBack() {
            itsTurn = false;
            LockSupport.unpark(director);
        }

        private void waitForTurn() {
            giveBack();
            while (!itsTurn) {
                LockSupport.park(this);
            }
            if (over) {
                throw new Over();
            }
        }
    }

    private static void raise(Throwable thrown) {
        switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(thrown);
        }
    }

    Flow start(Runnable work) {
        var flow = new Flow(work);
        alive.add(flow);
        agenda.after(0, flow::goOn);
        return flow;
    }

    boolean isInFlow() {
        return running != null;
    }

    Flow current() {
        if (running == null) {
            throw new IllegalStateException("only a flow can wait");
        }
        return running;
    }

    void sleep(long micros) {
        var flow = current();
        agenda.after(micros, flow::goOn);
        flow.waitForTurn();
    }

    /** Waits until {@link #wake}, or until this time has passed. */
    void await(long micros) {
        var flow = current();
        // An entry that comes after the flow has gone on must not wake it from another wait.
        var spent = new boolean[1];
        Runnable goOn = () -> {
            if (!spent[0]) {
                spent[0] = true;
                flow.goOn();
            }
        };
        wakers.put(flow, goOn);
        agenda.after(micros, goOn);
        flow.waitForTurn();
        wakers.remove(flow);
    }

    void wake(Flow flow) {
        var waker = wakers.get(flow);
        if (waker != null) {
            agenda.after(0, waker);
        }
    }

    /** Ends whatever still waits. */
    void end() {
        for (var flow : new ArrayList<>(alive)) {
            flow.over = true;
            if (flow.thread.getState() == Thread.State.NEW) {
                alive.remove(flow);
            } else {
                flow.goOn();
            }
        }
    }
}
