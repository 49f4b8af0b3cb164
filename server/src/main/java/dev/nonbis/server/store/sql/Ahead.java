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

    /** The write of the batch at this position, after which nobody has written to the row. */
    record Newest(long position, Write write) {

        /** The row as it is; empty when it was deleted. */
        Optional<StoredRow> row() {
            var key = write.row().key();
            return switch (write) {
                case Insert insert -> Optional.of(new StoredRow(key, 1, insert.body()));
                case Update update -> Optional.of(new StoredRow(key, update.readVersion() + 1, update.body()));
                case Delete delete -> Optional.empty();
                case Expect expect -> throw new IllegalStateException("nothing was written: " + expect);
            };
        }
    }

    /** Null when the database has the newest. */
    @Nullable
    Newest get(RowRef<?, ?> row) {
        return rows.get(row);
    }

    void put(long position, List<Write> writes) {
        for (var write : writes) {
            if (!(write instanceof Expect)) {
                rows.put(write.row(), new Newest(position, write));
            }
        }
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
