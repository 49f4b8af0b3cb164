package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A back end that counts what is asked of it. */
public final class CountedBackend implements Backend {

    private final Backend backend;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();

    public CountedBackend(Backend backend) {
        this.backend = backend;
    }

    /** How many look-ups, ranges and write sets there were; in a database, each is at least one round trip. */
    public long calls() {
        return calls.get();
    }

    /** How many rows were read. */
    public long rows() {
        return rows.get();
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> wanted) {
        calls.incrementAndGet();
        var found = backend.fetch(wanted);
        rows.addAndGet(found.size());
        return found;
    }

    @Override
    public void apply(List<Write> writes) {
        calls.incrementAndGet();
        backend.apply(writes);
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return backend.read(snapshot -> block.apply(new Counted(snapshot)));
    }

    @Override
    public void close() {
        backend.close();
    }

    private final class Counted implements Snapshot {

        private final Snapshot snapshot;

        private Counted(Snapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            calls.incrementAndGet();
            var found = snapshot.get(row);
            rows.addAndGet(found.isPresent() ? 1 : 0);
            return found;
        }

        @Override
        public List<Range.Hit<StoredRow>> scan(Range<?> range) {
            calls.incrementAndGet();
            var found = snapshot.scan(range);
            rows.addAndGet(found.size());
            return found;
        }
    }
}
