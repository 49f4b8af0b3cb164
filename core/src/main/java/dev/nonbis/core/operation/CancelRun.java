package dev.nonbis.core.operation;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.store.Tables;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Ends a run that has not ended, and the jobs of its open steps with it. */
public final class CancelRun {

    private final Ports ports;
    private final RunSteps steps;

    public CancelRun(Ports ports) {
        this.ports = ports;
        this.steps = new RunSteps(ports);
    }

    /** How a call ended. */
    public sealed interface Result {

        record Cancelled(Run run) implements Result {}

        record AlreadyCancelled(Run run) implements Result {}

        record AlreadyTerminal(Run run) implements Result {}

        record NoSuchRun() implements Result {}
    }

    public Result cancel(Actor actor, RunId id, Optional<String> reason) {
        Instant now = ports.clock().instant();
        var key = Tables.runKey(actor.tenant(), id);
        return ports.store().transact(List.of(Tables.RUNS.row(key), Tables.TENANTS.row(actor.tenant())), tx -> {
            var found = tx.find(Tables.RUNS, key);
            if (found.isEmpty()) {
                return new Result.NoSuchRun();
            }
            var run = found.get();
            if (run.state() == RunState.CANCELLED) {
                return new Result.AlreadyCancelled(run);
            }
            if (!run.state().isActive()) {
                return new Result.AlreadyTerminal(run);
            }
            return new Result.Cancelled(steps.cancel(tx, run, actor.subject(), reason, now));
        });
    }
}
