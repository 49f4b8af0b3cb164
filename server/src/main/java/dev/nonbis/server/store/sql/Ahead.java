package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows in which the journal is ahead of the database. A row leaves only after the database has it, so whoever does not find it here
 * and then looks there sees what was acknowledged.
 */
final class Ahead {

    private final Map<RowRef<?, ?>, Newest> rows = new ConcurrentHashMap<>();

    /**
     * A row as the batch at this position left it.
     *
     * @param row empty when it was deleted
     */
    record Newest(long position, Optional<StoredRow> row) {}

    /** Null when the database has the newest. */
    @Nullable
    Newest get(RowRef<?, ?> row) {
        return rows.get(row);
    }

    void put(long position, List<Write> writes) {
        for (var write : writes) {
            var key = write.row().key();
            switch (write) {
                case Insert insert -> put(write, position, Optional.of(new StoredRow(key, 1, insert.body())));
                case Update update ->
                    put(write, position, Optional.of(new StoredRow(key, update.readVersion() + 1, update.body())));
                case Delete delete -> put(write, position, Optional.empty());
                case Expect expect -> {
                    // The row stays as it is.
                }
            }
        }
    }

    private void put(Write write, long position, Optional<StoredRow> row) {
        rows.put(write.row(), new Newest(position, row));
    }

    /** All of them as they are now. */
    Map<RowRef<?, ?>, Newest> rows() {
        return new HashMap<>(rows);
    }

    /** Those of the rows that are so. */
    List<RowRef<?, ?>> rows(Predicate<RowRef<?, ?>> wanted) {
        return rows.keySet().stream().filter(wanted).toList();
    }

    /** The database has these batches and all before them. */
    void forget(List<Journal.Batch> applied) {
        long upTo = applied.getLast().position();
        for (var batch : applied) {
            for (var write : batch.writes()) {
                var newest = rows.get(write.row());
                if (newest != null && newest.position() <= upTo) {
                    rows.remove(write.row(), newest);
                }
            }
        }
    }
}
