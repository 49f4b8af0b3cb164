package dev.nonbis.server.api;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Write;
import dev.nonbis.testkit.store.MemoryBackend;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A back end in memory that hands out the rows of keys otherwise than they were written. */
final class DamagedBackend implements Backend {

    private final Backend backend = new MemoryBackend();
    volatile UnaryOperator<StoredRow> damage = UnaryOperator.identity();

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        backend.fetch(rows)
                .forEach((row, stored) -> found.put(row, read(row.table().equals(Tables.KEYS), stored)));
        return found;
    }

    @Override
    public void apply(List<Write> writes) {
        backend.apply(writes);
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return backend.read(snapshot -> block.apply(new Snapshot() {
            @Override
            public Optional<StoredRow> get(RowRef<?, ?> row) {
                return snapshot.get(row)
                        .map(stored -> DamagedBackend.this.read(row.table().equals(Tables.KEYS), stored));
            }

            @Override
            public List<Range.Hit<StoredRow>> scan(Range<?> range) {
                boolean isKey = range.table().equals(Tables.KEYS);
                return snapshot.scan(range).stream()
                        .map(hit -> Range.Hit.of(hit.position(), DamagedBackend.this.read(isKey, hit.row())))
                        .toList();
            }
        }));
    }

    private StoredRow read(boolean isKey, StoredRow stored) {
        return isKey ? damage.apply(stored) : stored;
    }

    @Override
    public void close() {
        backend.close();
    }
}
