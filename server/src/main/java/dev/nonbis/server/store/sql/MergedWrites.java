package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Expect;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The writes of batches that follow one another, brought together as long as that leaves the database the same. */
final class MergedWrites {

    private final Function<Table<?, ?>, SqlTable> sqlOf;
    // By name: what was written by another version has a table of its own that is kept under the same.
    private final Map<String, Part> parts = new LinkedHashMap<>();

    private record Part(Table<?, ?> table, TableWrites writes) {}

    MergedWrites(Function<Table<?, ?>, SqlTable> sqlOf) {
        this.sqlOf = sqlOf;
    }

    /** Whether a batch can join those that are here. */
    boolean takes(List<Write> batch) {
        for (var write : batch) {
            var part = parts.get(write.row().table().name());
            if (part != null && (!part.table.equals(write.row().table()) || !part.writes.takes(write))) {
                return false;
            }
        }
        return true;
    }

    /** Adds a batch that it takes, without what the batch expects: that was so, or it would not be there. */
    void add(List<Write> batch) {
        for (var write : batch) {
            if (!(write instanceof Expect)) {
                parts.computeIfAbsent(
                                write.row().table().name(),
                                name -> part(write.row().table()))
                        .writes
                        .add(write);
            }
        }
    }

    private Part part(Table<?, ?> table) {
        return new Part(table, new TableWrites(sqlOf.apply(table)));
    }

    void run(SqlSession session) throws SQLException {
        for (var part : parts.values()) {
            part.writes.run(session);
        }
    }
}
