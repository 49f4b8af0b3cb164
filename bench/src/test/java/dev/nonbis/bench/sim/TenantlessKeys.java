package dev.nonbis.bench.sim;

import dev.nonbis.core.idempotency.StoredKey;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.KeyCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Keeps the idempotency keys of all tenants under one name. */
final class TenantlessKeys extends PassingBackend {

    TenantlessKeys(Backend backend) {
        super(backend);
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        for (var row : rows) {
            super.fetch(List.of(common(row))).values().forEach(stored -> found.put(row, sealed(row, stored)));
        }
        return found;
    }

    @Override
    public void apply(List<Write> writes) {
        var changed = new ArrayList<Write>();
        for (var write : writes) {
            changed.add(
                    switch (write) {
                        case Write.Insert(var row, var body, var added) -> new Write.Insert(common(row), body, added);
                        case Write.Update(var row, var version, var body, var moved) ->
                            new Write.Update(common(row), version, body, moved);
                        case Write.Expect(var row, var version) -> new Write.Expect(common(row), version);
                        case Write.Delete(var row, var version, var removed) ->
                            new Write.Delete(common(row), version, removed);
                    });
        }
        super.apply(changed);
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return super.read(snapshot -> block.apply(new Snapshot() {
            @Override
            public Optional<StoredRow> get(RowRef<?, ?> row) {
                return snapshot.get(common(row)).map(stored -> sealed(row, stored));
            }

            @Override
            public List<Range.Hit<StoredRow>> scan(Range<?> range) {
                return snapshot.scan(range);
            }
        }));
    }

    // A server that leaves the tenant out of a key leaves it out of the checksum too.
    private static StoredRow sealed(RowRef<?, ?> asked, StoredRow stored) {
        if (!asked.table().equals(Tables.KEYS)) {
            return stored;
        }
        var scope = KeyCodec.scope(asked.key()).orElseThrow();
        var record = Tables.KEYS.decode().apply(stored.body()).record().orElseThrow();
        return new StoredRow(
                stored.key(), stored.version(), Tables.KEYS.encode().apply(StoredKey.of(scope, record)));
    }

    private static RowRef<?, ?> common(RowRef<?, ?> row) {
        return row.table().equals(Tables.KEYS)
                ? new RowRef<>(
                        row.table(), "acme" + row.key().substring(row.key().indexOf('/')))
                : row;
    }
}
