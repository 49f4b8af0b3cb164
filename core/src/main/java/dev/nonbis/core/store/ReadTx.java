package dev.nonbis.core.store;

import java.util.List;
import java.util.Optional;

/** Committed rows at one instant: by key, and by the ranges that lists and loops need. */
public final class ReadTx {

    private final Backend.Snapshot snapshot;

    public ReadTx(Backend.Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    public <K, V> Optional<V> find(Table<K, V> table, K key) {
        return snapshot.get(table.row(key)).map(table::read);
    }

    public <V> List<Range.Hit<V>> scan(Range<V> range) {
        return snapshot.scan(range).stream()
                .map(hit -> new Range.Hit<>(hit.position(), range.table().read(hit.row()), hit.bytes()))
                .toList();
    }
}
