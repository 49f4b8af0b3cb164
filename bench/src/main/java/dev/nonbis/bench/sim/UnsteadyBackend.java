package dev.nonbis.bench.sim;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One server's way to the shared store: others may come in before each call, and each call may fail in every way that calls fail. */
final class UnsteadyBackend implements Backend {

    private final Backend shared;
    private final SimulatedServer.Life life;
    private final Weather weather;

    UnsteadyBackend(Backend shared, SimulatedServer.Life life, Weather weather) {
        this.shared = shared;
        this.life = life;
        this.weather = weather;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        lookUnlessFaulty("fetch");
        return shared.fetch(rows);
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        lookUnlessFaulty("read");
        return shared.read(block);
    }

    @Override
    public void apply(List<Write> writes) {
        life.step();
        var fault = weather.ofStore();
        tell("write", fault);
        switch (fault) {
            case NONE -> write(writes);
            case CRASH_BEFORE -> throw life.crash();
            case REFUSED -> throw failure(Fate.DID_NOT_HAPPEN, fault);
            case REQUEST_LOST -> throw failure(Fate.UNKNOWN, fault);
            case REPLY_LOST -> {
                write(writes);
                throw failure(Fate.UNKNOWN, fault);
            }
            case CRASH_AFTER -> {
                write(writes);
                throw life.crash();
            }
        }
        // The answer travels too.
        life.step();
    }

    private void write(List<Write> writes) {
        shared.apply(writes);
        life.tellAll(() -> WritesTold.of(writes));
    }

    @Override
    public void close() {}

    // What only looks has no effect that could be in doubt, so all but the crashes are the same.
    private void lookUnlessFaulty(String what) {
        life.step();
        var fault = weather.ofStore();
        tell(what, fault);
        switch (fault) {
            case NONE -> {}
            case CRASH_BEFORE, CRASH_AFTER -> throw life.crash();
            case REFUSED, REQUEST_LOST, REPLY_LOST -> throw failure(Fate.DID_NOT_HAPPEN, fault);
        }
    }

    private void tell(String call, Weather.Fault fault) {
        if (fault != Weather.Fault.NONE) {
            life.tell(() -> "store " + call + ": " + fault);
        }
    }

    private static StoreUnavailable failure(Fate fate, Weather.Fault fault) {
        return new StoreUnavailable(fate, Cause.FAILED, "simulated: " + fault);
    }
}
