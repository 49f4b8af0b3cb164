package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Gives every row to one owner, so that what is promised of rows that belong together can be asked of a back end that keeps owners apart. */
final class OneOwner implements Backend {

    private static final String OWNER = "owner/";

    private final Backend backend;

    OneOwner(Backend backend) {
        this.backend = backend;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var mine = new HashMap<RowRef<?, ?>, RowRef<?, ?>>();
        rows.forEach(row -> mine.put(given(row), row));
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        backend.fetch(mine.keySet()).forEach((row, stored) -> found.put(mine.get(row), taken(stored)));
        return found;
    }

    @Override
    public void apply(List<Write> writes) {
        backend.apply(writes.stream().map(OneOwner::given).toList());
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return backend.read(snapshot -> block.apply(new Snapshot() {
            @Override
            public Optional<StoredRow> get(RowRef<?, ?> row) {
                return snapshot.get(given(row)).map(OneOwner::taken);
            }

            @Override
            public List<Range.Hit<StoredRow>> scan(Range<?> range) {
                return snapshot.scan(given(range)).stream()
                        .map(hit -> Range.Hit.of(taken(hit.position()), taken(hit.row())))
                        .toList();
            }
        }));
    }

    @Override
    public void close() {
        backend.close();
    }

    private static <K, V> RowRef<K, V> given(RowRef<K, V> row) {
        return new RowRef<>(row.table(), OWNER + row.key());
    }

    private static StoredRow taken(StoredRow row) {
        return new StoredRow(row.key().substring(OWNER.length()), row.version(), row.body());
    }

    private static Write given(Write write) {
        return switch (write) {
            case Write.Insert w -> new Write.Insert(given(w.row()), w.body(), w.added());
            case Write.Update w -> new Write.Update(given(w.row()), w.readVersion(), w.body(), w.moved());
            case Write.Delete w -> new Write.Delete(given(w.row()), w.readVersion(), w.removed());
            case Write.Expect w -> new Write.Expect(given(w.row()), w.readVersion());
        };
    }

    private static <V> Range<V> given(Range<V> range) {
        boolean byKey = range.index().isEmpty();
        return new Range<>(
                range.table(),
                range.index(),
                byKey ? OWNER + range.low() : range.low(),
                byKey ? OWNER + range.high() : range.high(),
                range.after().map(position -> byKey ? OWNER + position : given(position)),
                range.descending(),
                range.limit(),
                range.bytes());
    }

    private static String given(String position) {
        int separator = position.indexOf(Range.SEPARATOR);
        return position.substring(0, separator + 1) + OWNER + position.substring(separator + 1);
    }

    private static String taken(String position) {
        int separator = position.indexOf(Range.SEPARATOR);
        return position.substring(0, separator + 1) + position.substring(separator + 1 + OWNER.length());
    }
}
