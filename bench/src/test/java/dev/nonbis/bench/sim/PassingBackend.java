package dev.nonbis.bench.sim;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A back end that passes everything on. */
class PassingBackend implements Backend {

    private final Backend backend;

    PassingBackend(Backend backend) {
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
    public void close() {
        backend.close();
    }
}
