package dev.nonbis.server.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.postgres.PostgresErrors.Step;
import dev.nonbis.server.store.postgres.Sentence.Argument;
import dev.nonbis.server.store.postgres.Sentence.Part;
import dev.nonbis.server.store.sql.SqlScan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Rows in PostgreSQL, for any number of servers. A lost connection is replaced by the next call; a commit whose answer was lost is told
 * as unknown, and nothing else is.
 */
final class PostgresBackend implements Backend {

    private final HikariDataSource writers;
    private final HikariDataSource readers;
    private final Map<Table<?, ?>, PostgresTable> tables = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Takes the pools over and closes them with itself. */
    PostgresBackend(HikariDataSource writers, HikariDataSource readers) {
        this.writers = writers;
        this.readers = readers;
    }

    /** Each table is asked by itself, so two tables may be seen at two instants; nobody who needs one instant asks here. */
    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        return reading(connection -> {
            var found = new HashMap<RowRef<?, ?>, StoredRow>();
            var sentence = new Sentence();
            ask(sentence, rows, found);
            sentence.say(connection);
            return found;
        });
    }

    @Override
    public void apply(List<Write> writes) {
        var owners = writes.stream().map(write -> write.row().owner()).collect(Collectors.toSet());
        try (var transaction = begin(new Wanted(owners, Set.of(), true))) {
            transaction.commit(writes);
        }
    }

    @Override
    public Transaction begin(Wanted wanted) {
        refuseIfClosed();
        var transaction = new PostgresTransaction(this, connect(writers));
        try {
            transaction.begin(wanted);
            return transaction;
        } catch (RuntimeException | Error e) {
            transaction.close();
            throw e;
        }
    }

    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        return Optional.ofNullable(fetch(List.of(row)).get(row));
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return reading(connection -> {
            connection.setAutoCommit(false);
            try (var snapshot = new PostgresSnapshot(connection)) {
                R result = block.apply(snapshot);
                connection.commit();
                return result;
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        readers.close();
        writers.close();
    }

    PostgresTable table(Table<?, ?> table) {
        return tables.computeIfAbsent(table, PostgresTable::of);
    }

    /** Adds what asks for these rows and puts those that exist into the map. */
    void ask(Sentence sentence, Collection<RowRef<?, ?>> rows, Map<RowRef<?, ?>, StoredRow> found) {
        var byTable = new LinkedHashMap<Table<?, ?>, Map<String, RowRef<?, ?>>>();
        for (var row : rows) {
            byTable.computeIfAbsent(row.table(), table -> new HashMap<>()).put(row.key(), row);
        }
        byTable.forEach((table, byKey) -> sentence.add(new Part(
                table(table).fetch(),
                List.of(new Argument("text", byKey.keySet().toArray(String[]::new))),
                statement -> collect(statement, byKey, found))));
    }

    private static void collect(
            PreparedStatement statement, Map<String, RowRef<?, ?>> byKey, Map<RowRef<?, ?>, StoredRow> found)
            throws SQLException {
        try (var rows = statement.getResultSet()) {
            while (rows.next()) {
                var row = byKey.get(rows.getString(1));
                if (row != null) {
                    found.put(row, new StoredRow(row.key(), rows.getLong(2), rows.getBytes(3)));
                }
            }
        }
    }

    RuntimeException failed(Connection connection, SQLException error, Step step) {
        if (PostgresErrors.isReadOnly(error)) {
            // It was the first server's connection and is the second's: only a new one leads to the server that writes.
            writers.evictConnection(connection);
        }
        return PostgresErrors.failure(error, isRefused(connection) ? Step.BEFORE_COMMIT : step);
    }

    // The protocol says in what state a transaction is, in no human language: one that has failed will not be
    // committed.
    private static boolean isRefused(Connection connection) {
        try {
            return connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED;
        } catch (SQLException e) {
            return false;
        }
    }

    // What was not committed is rolled back by the pool.
    void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // The pool replaces a connection that cannot be given back.
        }
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
        }
    }

    private Connection connect(HikariDataSource pool) {
        try {
            return pool.getConnection();
        } catch (SQLException e) {
            refuseIfClosed();
            throw PostgresErrors.failure(e, Step.BEFORE_COMMIT);
        }
    }

    /** Work on one of the readers' connections. */
    private interface Reading<R> {
        R on(Connection connection) throws SQLException;
    }

    private <R> R reading(Reading<R> work) {
        refuseIfClosed();
        var connection = connect(readers);
        try {
            return work.on(connection);
        } catch (SQLException e) {
            throw PostgresErrors.failure(e, Step.BEFORE_COMMIT);
        } finally {
            giveBack(connection);
        }
    }

    /** One reader's view. */
    private final class PostgresSnapshot implements Snapshot, AutoCloseable {

        private final Connection connection;
        private final Map<String, PreparedStatement> prepared = new HashMap<>();

        PostgresSnapshot(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            var found = new HashMap<RowRef<?, ?>, StoredRow>();
            var sentence = new Sentence();
            ask(sentence, List.of(row), found);
            try {
                sentence.say(connection);
            } catch (SQLException e) {
                throw PostgresErrors.failure(e, Step.BEFORE_COMMIT);
            }
            return Optional.ofNullable(found.get(row));
        }

        @Override
        public List<Range.Hit<StoredRow>> scan(Range<?> range) {
            try {
                return SqlScan.run(this::prepare, range, SqlScan.Sends.ALL_ROWS);
            } catch (SQLException e) {
                throw PostgresErrors.failure(e, Step.BEFORE_COMMIT);
            }
        }

        private PreparedStatement prepare(String sql) throws SQLException {
            var statement = prepared.get(sql);
            if (statement == null) {
                statement = connection.prepareStatement(sql);
                prepared.put(sql, statement);
            }
            return statement;
        }

        @Override
        public void close() {
            for (var statement : new ArrayList<>(prepared.values())) {
                try {
                    statement.close();
                } catch (SQLException e) {
                    // It ends with its connection.
                }
            }
        }
    }
}
