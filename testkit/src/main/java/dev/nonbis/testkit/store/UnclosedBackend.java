package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A back end that stays open when it is closed, for a test that looks at it afterwards. */
public final class UnclosedBackend implements Backend {

    private final Backend backend;

    public UnclosedBackend(Backend backend) {
        this.backend = backend;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        return backend.fetch(rows);
    }

    @Override
    public void apply(List<Write> writes) {
        backend.apply(writes);
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return backend.read(block);
    }

    @Override
    public Transaction begin(Wanted wanted) {
        return backend.begin(wanted);
    }

    @Override
    public void close() {}
}
