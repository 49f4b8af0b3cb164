package dev.nonbis.server.store.sql;

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
import java.util.List;

/** The writes of one batch to one table, carried out in few statements. */
final class TableWrites {

    // A statement keeps what was bound to it, so large bodies go one by one.
    private static final int LARGE_BODY_BYTES = 16 * 1024;

    private final SqlTable table;
    private final List<Insert> inserts = new ArrayList<>();
    private final List<Insert> largeInserts = new ArrayList<>();
    private final List<Update> updates = new ArrayList<>();
    private final List<Delete> deletes = new ArrayList<>();
    private final List<Expect> expects = new ArrayList<>();
    private final List<List<Entry>> added;
    private final List<List<Entry>> removed;

    TableWrites(SqlTable table) {
        this.table = table;
        this.added = listPerIndex(table);
        this.removed = listPerIndex(table);
    }

    void add(Write write) {
        switch (write) {
            case Insert insert -> {
                (insert.body().length > LARGE_BODY_BYTES ? largeInserts : inserts).add(insert);
                collect(insert.row().key(), insert.added(), added);
            }
            case Update update -> {
                updates.add(update);
                if (!table.indexes.isEmpty()) {
                    collect(update.row().key(), update.moved().removed(), removed);
                    collect(update.row().key(), update.moved().added(), added);
                }
            }
            case Delete delete -> {
                deletes.add(delete);
                collect(delete.row().key(), delete.removed(), removed);
            }
            case Expect expect -> expects.add(expect);
        }
    }

    /** Rows go before index entries, so that a conflict shows on the row. */
    void run(SqlSession session) throws SQLException {
        for (var expect : expects) {
            check(session, expect);
        }
        session.inChunks(table.insert, inserts, this::bindInsert, TableWrites::expectAll);
        for (var insert : largeInserts) {
            session.inChunks(table.insert, List.of(insert), this::bindInsert, TableWrites::expectAll);
        }
        for (var update : updates) {
            update(session, update);
        }
        session.inChunks(table.delete, deletes, this::bindDelete, TableWrites::expectAll);
        for (int i = 0; i < table.indexes.size(); i++) {
            var index = table.indexes.get(i);
            session.inChunks(index.delete(), removed.get(i), TableWrites::bindEntry, TableWrites::expectAll);
            session.inChunks(index.insert(), added.get(i), TableWrites::bindEntry, TableWrites::expectAll);
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

    private void update(SqlSession session, Update update) throws SQLException {
        int changed = 0;
        for (int i = 0; i < table.columns.size(); i++) {
            changed |= update.moved().concerns(table.columns.get(i)) ? 1 << i : 0;
        }
        var statement = session.prepare(table.update(changed));
        statement.setBytes(1, update.body());
        int next = 2;
        for (int i = 0; i < table.columns.size(); i++) {
            if ((changed & 1 << i) != 0) {
                bindOne(statement, next++, update.moved().to(), table.columns.get(i));
            }
        }
        statement.setString(next++, update.row().key());
        statement.setLong(next, update.readVersion());
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

    private static int bindEntry(PreparedStatement statement, int parameter, Entry entry) throws SQLException {
        statement.setString(parameter, entry.text);
        statement.setString(parameter + 1, entry.key);
        return parameter + 2;
    }

    private static void expectAll(PreparedStatement statement, List<?> chunk) throws SQLException {
        int changed = statement.executeUpdate();
        if (changed != chunk.size()) {
            throw new WriteConflict(changed + " of " + chunk.size() + " rows were as expected");
        }
    }

    private static List<List<Entry>> listPerIndex(SqlTable table) {
        var lists = new ArrayList<List<Entry>>(table.indexes.size());
        for (int i = 0; i < table.indexes.size(); i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    private void collect(String key, Entries entries, List<List<Entry>> into) {
        for (int i = 0; i < into.size(); i++) {
            for (var text : entries.byIndex().get(table.indexes.get(i).place())) {
                into.get(i).add(new Entry(text, key));
            }
        }
    }

    /** A row's place in an index. */
    private record Entry(String text, String key) {}
}
