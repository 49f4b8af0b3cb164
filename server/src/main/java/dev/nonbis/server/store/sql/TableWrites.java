package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import dev.nonbis.core.store.WriteConflict;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes to one table, carried out in few statements: inserts, then updates, then deletes. Those of several batches can be carried out
 * together as long as none of them {@linkplain #takes has to wait} for another.
 */
final class TableWrites {

    // A statement keeps what was bound to it, so large bodies go one by one.
    private static final int LARGE_BODY_BYTES = 16 * 1024;

    private static final Comparator<Insert> BY_KEY =
            Comparator.comparing(insert -> insert.row().key());

    private final SqlTable table;
    private final List<Insert> inserts = new ArrayList<>();
    private final List<Insert> largeInserts = new ArrayList<>();
    private final Map<String, Step> steps = new LinkedHashMap<>();
    private final List<Step> updates = new ArrayList<>();
    private final List<Delete> deletes = new ArrayList<>();
    private final Set<String> deleted = new HashSet<>();
    private final List<Expect> expects = new ArrayList<>();
    // Those that stand elsewhere in an index that is not a column.
    private final List<Update> moves = new ArrayList<>();
    // Whether anything comes or goes in such an index.
    private boolean hasEntries;

    TableWrites(SqlTable table) {
        this.table = table;
    }

    /** Whether the write of a later batch comes to the same here as it would after all that is here. */
    boolean takes(Write write) {
        if (deleted.contains(write.row().key())) {
            return false;
        }
        return switch (write) {
            case Insert insert -> true;
            case Update update -> !hasEntries || !movesEntries(update);
            case Delete delete -> !hasEntries;
            // It was true before, or the batch would not be there.
            case Expect expect -> true;
        };
    }

    private boolean anyOf(Entries entries) {
        for (var index : table.indexes) {
            if (!entries.byIndex().get(index.place).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private boolean movesEntries(Update update) {
        return table.indexes.stream().anyMatch(index -> update.moved().concerns(index.place));
    }

    void add(Write write) {
        switch (write) {
            case Insert insert -> {
                (insert.body().length > LARGE_BODY_BYTES ? largeInserts : inserts).add(insert);
                hasEntries |= anyOf(insert.added());
            }
            case Update update -> {
                var step = new Step(update.readVersion(), update);
                if (table.columns.isEmpty() && table.indexes.isEmpty()) {
                    // It stands in no order, so only its last state matters.
                    steps.merge(update.row().key(), step, Step::then);
                } else {
                    updates.add(step);
                    if (movesEntries(update)) {
                        moves.add(update);
                        hasEntries = true;
                    }
                }
            }
            case Delete delete -> {
                deletes.add(delete);
                deleted.add(delete.row().key());
                hasEntries |= anyOf(delete.removed());
            }
            case Expect expect -> expects.add(expect);
        }
    }

    /** Rows go before index entries, so that a conflict shows on the row. */
    void run(SqlSession session) throws SQLException {
        for (var expect : expects) {
            check(session, expect);
        }
        // What comes in the order of the tree is put beside what came before, without a search.
        inserts.sort(BY_KEY);
        session.inChunks(table.insert, inserts, this::bindInsert, (statement, chunk) -> {
            insertAll(statement, chunk);
            if (table.where.isPresent()) {
                note(table.where.get(), session, chunk);
            }
        });
        for (var insert : largeInserts) {
            session.inChunks(table.insert, List.of(insert), this::bindInsert, TableWrites::expectAll);
        }
        for (var step : updates) {
            update(session, step);
        }
        for (var step : steps.values()) {
            update(session, step);
        }
        session.inChunks(table.delete, deletes, this::bindDelete, TableWrites::expectAll);
        for (var index : table.indexes) {
            index.apply(session, changes(index.place));
        }
    }

    // One statement numbers its rows one after another.
    private static void note(Whereabouts where, SqlSession session, List<Insert> chunk) throws SQLException {
        try (var last = session.prepare("SELECT last_insert_rowid()").executeQuery()) {
            long place = last.getLong(1) - chunk.size();
            for (var insert : chunk) {
                where.put(insert.row().key(), ++place);
            }
        }
    }

    private void check(SqlSession session, Expect expect) throws SQLException {
        var statement = session.prepare(table.get);
        statement.setString(1, expect.row().key());
        try (var found = statement.executeQuery()) {
            long version = found.next() ? found.getLong(1) : 0;
            if (version != expect.readVersion()) {
                throw new WriteConflict("not as it was read: " + expect.row());
            }
        }
    }

    private int bindInsert(PreparedStatement statement, int parameter, Insert insert) throws SQLException {
        statement.setString(parameter, insert.row().key());
        statement.setBytes(parameter + 1, insert.body());
        int next = parameter + 2;
        for (int place : table.columns) {
            bindOne(statement, next++, insert.added(), place);
        }
        return next;
    }

    private void update(SqlSession session, Step step) throws SQLException {
        var update = step.last;
        int changed = 0;
        for (int i = 0; i < table.columns.size(); i++) {
            changed |= update.moved().concerns(table.columns.get(i)) ? 1 << i : 0;
        }
        var statement = session.prepare(table.update(changed));
        statement.setBytes(1, update.body());
        statement.setLong(2, update.readVersion() + 1);
        int next = 3;
        for (int i = 0; i < table.columns.size(); i++) {
            if ((changed & 1 << i) != 0) {
                bindOne(statement, next++, update.moved().to(), table.columns.get(i));
            }
        }
        statement.setString(next++, update.row().key());
        statement.setLong(next, step.readVersion);
        expectAll(statement, List.of(update));
    }

    private static void bindOne(PreparedStatement statement, int parameter, Entries entries, int place)
            throws SQLException {
        var text = entries.one(place);
        if (text.isPresent()) {
            statement.setString(parameter, text.get());
        } else {
            statement.setNull(parameter, Types.VARCHAR);
        }
    }

    private int bindDelete(PreparedStatement statement, int parameter, Delete delete) throws SQLException {
        statement.setString(parameter, delete.row().key());
        statement.setLong(parameter + 1, delete.readVersion());
        return parameter + 2;
    }

    // A chunk takes a while, and callers wait for other threads more often than for this one.
    @SuppressWarnings("ThreadPriorityCheck") // a hint that costs nothing where it is not heard
    static void insertAll(PreparedStatement statement, List<?> chunk) throws SQLException {
        expectAll(statement, chunk);
        Thread.yield();
    }

    static void expectAll(PreparedStatement statement, List<?> chunk) throws SQLException {
        int changed = statement.executeUpdate();
        if (changed != chunk.size()) {
            throw new WriteConflict(changed + " of " + chunk.size() + " rows were as expected");
        }
    }

    // Inserts are in the order of their keys by now, so there is little left to sort.
    private Collection<PostingsChange> changes(int place) {
        var changes = new Changes(place, new HashMap<>());
        inserts.forEach(insert -> changes.add(insert.added(), insert.row()));
        largeInserts.forEach(insert -> changes.add(insert.added(), insert.row()));
        for (var move : moves) {
            changes.remove(move.moved().removed(), move.row());
            changes.add(move.moved().added(), move.row());
        }
        deletes.forEach(delete -> changes.remove(delete.removed(), delete.row()));
        return changes.byText.values();
    }

    /** What comes and goes in the index at one place. */
    private record Changes(int place, Map<String, PostingsChange> byText) {

        void add(Entries entries, RowRef<?, ?> row) {
            for (var text : entries.byIndex().get(place)) {
                of(text).add(row.key());
            }
        }

        void remove(Entries entries, RowRef<?, ?> row) {
            for (var text : entries.byIndex().get(place)) {
                of(text).remove(row.key());
            }
        }

        private PostingsChange of(String text) {
            return byText.computeIfAbsent(text, PostingsChange::new);
        }
    }

    /** One update, or several of one row, from the version that the first has read to what the last leaves. */
    private record Step(long readVersion, Update last) {

        Step then(Step next) {
            if (next.readVersion != last.readVersion() + 1) {
                throw new WriteConflict("not as it was read: " + last.row());
            }
            return new Step(readVersion, next.last);
        }
    }
}
