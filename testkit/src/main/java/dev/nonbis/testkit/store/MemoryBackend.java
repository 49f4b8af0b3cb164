package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import dev.nonbis.core.store.WriteConflict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The reference back end: sorted maps. It keeps nothing after it is closed. */
public final class MemoryBackend implements Backend {

    private State current = new State();
    private boolean closed;

    @Override
    public synchronized Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        refuseIfClosed();
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        for (var row : rows) {
            current.get(row).ifPresent(stored -> found.put(row, stored));
        }
        return found;
    }

    @Override
    public synchronized void apply(List<Write> writes) {
        refuseIfClosed();
        writes.forEach(current::check);
        // Who is reading keeps the state as it was.
        if (current.readers > 0) {
            current = current.copy();
        }
        writes.forEach(current::apply);
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        var state = enter();
        try {
            return block.apply(state);
        } finally {
            leave(state);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private synchronized State enter() {
        refuseIfClosed();
        current.readers++;
        return current;
    }

    private synchronized void leave(State state) {
        state.readers--;
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
        }
    }

    /** All rows: by table and key, and by table, index and position. Changed only while nobody reads it. */
    private static final class State implements Snapshot {

        // Concurrent, because a reader that asks for a table nobody has written to adds its empty map.
        private final Map<String, NavigableMap<String, StoredRow>> rows = new ConcurrentHashMap<>();
        private final Map<String, NavigableMap<String, String>> entries = new ConcurrentHashMap<>();
        private int readers;

        State copy() {
            var copy = new State();
            rows.forEach((table, byKey) -> copy.rows.put(table, new TreeMap<>(byKey)));
            entries.forEach((index, byPosition) -> copy.entries.put(index, new TreeMap<>(byPosition)));
            return copy;
        }

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            return Optional.ofNullable(rows(row.table()).get(row.key()));
        }

        @Override
        public List<Range.Hit<StoredRow>> scan(Range<?> range) {
            var rows = rows(range.table());
            return cut(
                    range,
                    range.index()
                            .map(index -> positions(range, entries(range.table(), index)).entrySet().stream()
                                    .filter(entry -> rows.containsKey(entry.getValue()))
                                    .map(entry -> Range.Hit.of(
                                            entry.getKey(), Objects.requireNonNull(rows.get(entry.getValue())))))
                            .orElseGet(() -> positions(range, rows).entrySet().stream()
                                    .map(entry -> Range.Hit.of(entry.getKey(), entry.getValue()))));
        }

        private static List<Range.Hit<StoredRow>> cut(Range<?> range, Stream<Range.Hit<StoredRow>> all) {
            var hits = new ArrayList<Range.Hit<StoredRow>>();
            long bytes = 0;
            for (var rest = all.iterator(); hits.size() < range.limit() && bytes < range.bytes() && rest.hasNext(); ) {
                var hit = rest.next();
                hits.add(hit);
                bytes += hit.bytes();
            }
            return hits;
        }

        // A position sorts among texts as its own text does, so the bounds of a range can be compared with positions.
        private static <T> NavigableMap<String, T> positions(Range<?> range, NavigableMap<String, T> all) {
            var after = range.after();
            boolean up = !range.descending();
            boolean continued = up && after.isPresent() && after.get().compareTo(range.low()) >= 0;
            String from = continued ? after.get() : range.low();
            String to =
                    !up && after.isPresent() && after.get().compareTo(range.high()) < 0 ? after.get() : range.high();
            if (from.compareTo(to) >= 0) {
                return new TreeMap<>();
            }
            var inside = all.subMap(from, !continued, to, false);
            return up ? inside : inside.descendingMap();
        }

        void check(Write write) {
            var stored = get(write.row());
            boolean asExpected = switch (write) {
                case Insert insert -> stored.isEmpty();
                case Update update -> hasVersion(stored, update.readVersion());
                case Delete delete -> hasVersion(stored, delete.readVersion());
                case Expect expect ->
                    expect.readVersion() == 0 ? stored.isEmpty() : hasVersion(stored, expect.readVersion());
            };
            if (!asExpected) {
                throw new WriteConflict("not as expected: " + write.row());
            }
        }

        void apply(Write write) {
            var table = write.row().table();
            var key = write.row().key();
            switch (write) {
                case Insert insert -> {
                    rows(table).put(key, new StoredRow(key, 1, insert.body()));
                    add(write.row(), insert.added());
                }
                case Update update -> {
                    rows(table).put(key, new StoredRow(key, update.readVersion() + 1, update.body()));
                    remove(write.row(), update.moved().removed());
                    add(write.row(), update.moved().added());
                }
                case Delete delete -> {
                    rows(table).remove(key);
                    remove(write.row(), delete.removed());
                }
                case Expect expect -> {}
            }
        }

        private void add(RowRef<?, ?> row, Entries added) {
            for (int i = 0; i < added.byIndex().size(); i++) {
                for (var text : added.byIndex().get(i)) {
                    entries(row.table(), row.table().indexes().get(i))
                            .put(text + Range.SEPARATOR + row.key(), row.key());
                }
            }
        }

        private void remove(RowRef<?, ?> row, Entries removed) {
            for (int i = 0; i < removed.byIndex().size(); i++) {
                for (var text : removed.byIndex().get(i)) {
                    entries(row.table(), row.table().indexes().get(i)).remove(text + Range.SEPARATOR + row.key());
                }
            }
        }

        private NavigableMap<String, StoredRow> rows(Table<?, ?> table) {
            return rows.computeIfAbsent(table.name(), name -> new TreeMap<>());
        }

        private NavigableMap<String, String> entries(Table<?, ?> table, Index<?> index) {
            return entries.computeIfAbsent(table.name() + " by " + index.name(), name -> new TreeMap<>());
        }

        private static boolean hasVersion(Optional<StoredRow> stored, long version) {
            return stored.isPresent() && stored.get().version() == version;
        }
    }
}
