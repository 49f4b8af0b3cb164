package dev.nonbis.core.store;

import dev.nonbis.core.store.Backend.Transaction;
import dev.nonbis.core.store.Backend.Wanted;
import dev.nonbis.core.store.Write.Expect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps nobody away: it remembers the version of all that it has read, and has the back end check them with the writes. */
final class OptimisticTransaction implements Transaction {

    private final Backend backend;
    private final Set<String> owners;
    // Of every row that was asked for; zero when there was none.
    private final Map<RowRef<?, ?>, Long> versions = new HashMap<>();
    private final Map<RowRef<?, ?>, StoredRow> found = new HashMap<>();

    OptimisticTransaction(Backend backend, Wanted wanted) {
        this.backend = backend;
        this.owners = wanted.owners();
        ask(wanted.rows());
    }

    @Override
    public Set<String> owners() {
        return owners;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        ask(rows.stream().filter(row -> !versions.containsKey(row)).toList());
        var some = new HashMap<RowRef<?, ?>, StoredRow>();
        for (var row : rows) {
            var stored = found.get(row);
            if (stored != null) {
                some.put(row, stored);
            }
        }
        return some;
    }

    @Override
    public void commit(List<Write> writes) {
        var unwritten = new HashSet<>(versions.keySet());
        writes.forEach(write -> unwritten.remove(write.row()));
        var all = new ArrayList<>(writes);
        for (var row : unwritten) {
            all.add(new Expect(row, versions.getOrDefault(row, 0L)));
        }
        if (!all.isEmpty()) {
            backend.apply(all);
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    private void ask(Collection<RowRef<?, ?>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        var fetched = backend.fetch(rows);
        for (var row : rows) {
            var stored = fetched.get(row);
            versions.put(row, stored == null ? 0 : stored.version());
            if (stored != null) {
                found.put(row, stored);
            }
        }
    }
}
