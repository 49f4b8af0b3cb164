package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Write;
import dev.nonbis.server.store.sql.SqlDialect.Step;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Rows in SQL tables: one connection writes, a few read.
 *
 * <p>Fail-stop: once a commit's fate on disk is open, every later call is refused, because what was promised before may be gone.
 */
final class SqlBackend implements Backend {

    private static final int READERS = 4;

    private final SqlDialect dialect;
    private final FailStop failStop;
    private final SqlReaders readers;
    private final Map<Table<?, ?>, SqlTable> tables = new ConcurrentHashMap<>();
    // One for each name: a journal of another version has tables of its own under the same names.
    private final Map<String, Whereabouts> where = new ConcurrentHashMap<>();
    private SqlSession writer;
    private volatile long commits;
    // Whether a session may go on looking at the last state after it was given back.
    private volatile boolean looksLast = true;

    /**
     * Takes the dialect over and closes it with itself.
     *
     * @param onFatal hears once of the failure after which nothing is accepted any more
     */
    static SqlBackend open(SqlDialect dialect, Consumer<Throwable> onFatal) {
        try {
            return new SqlBackend(dialect, onFatal, new SqlSession(dialect.openWriter()));
        } catch (SQLException e) {
            dialect.close();
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN, Cause.FAILED, "cannot open the database: " + e.getMessage(), e);
        }
    }

    private SqlBackend(SqlDialect dialect, Consumer<Throwable> onFatal, SqlSession writer) {
        this.dialect = dialect;
        this.failStop = new FailStop(dialect, onFatal);
        this.writer = writer;
        this.readers = new SqlReaders(READERS, dialect::openReader);
    }

    /** On a reader's connection: the writer's may be busy with what was prepared before. */
    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var byTable = new LinkedHashMap<SqlTable, List<RowRef<?, ?>>>();
        for (var row : rows) {
            byTable.computeIfAbsent(sqlOf(row.table()), t -> new ArrayList<>()).add(row);
        }
        return reading(session -> {
            session.endLook();
            var found = new HashMap<RowRef<?, ?>, StoredRow>();
            for (var entry : byTable.entrySet()) {
                entry.getKey().fetch(session, entry.getValue(), found);
            }
            return found;
        });
    }

    @Override
    public void apply(List<Write> writes) {
        apply(() -> run(writes));
    }

    /** Applies the batches one after another, all or none, and notes how far the database has come. */
    void follow(List<Journal.Batch> batches) {
        apply(() -> {
            var together = new MergedWrites(this::sqlOf);
            for (var batch : batches) {
                if (!together.takes(batch.writes())) {
                    together.run(writer);
                    together = new MergedWrites(this::sqlOf);
                }
                together.add(batch.writes());
            }
            together.run(writer);
            var note = writer.prepare("UPDATE journal SET position = ? WHERE position = ?");
            note.setLong(1, batches.getLast().position());
            note.setLong(2, batches.getFirst().position() - 1);
            if (note.executeUpdate() != 1) {
                throw new IllegalStateException(
                        "the database is not where batch " + batches.getFirst().position() + " goes on");
            }
        });
    }

    /** The names of a table's rows behind one, in their order; from now on it is known where these lie. */
    List<String> names(Table<?, ?> of, String after, int most) {
        var table = sqlOf(of);
        return reading(session -> {
            session.endLook();
            return table.namesBehind(session, after, most);
        });
    }

    /** Which journal the database has, how far it has followed it, and how often it was begun. */
    record JournalMark(long base, long position, long starts) {}

    /** Begins the journal once more: nobody else ever has this mark. */
    JournalMark beginJournal() {
        apply(() -> writer.run("UPDATE journal SET starts = starts + 1"));
        return reading(session -> {
            session.endLook();
            try (var rows = session.prepare("SELECT base, position, starts FROM journal")
                    .executeQuery()) {
                return new JournalMark(rows.getLong(1), rows.getLong(2), rows.getLong(3));
            }
        });
    }

    void refuseIfStopped() {
        failStop.refuseIfStopped();
    }

    boolean isStopped() {
        return failStop.isStopped();
    }

    /** Takes nothing more: what was promised before may be gone. */
    void stop(Throwable why) {
        failStop.stop(why);
    }

    /** Writing within a transaction. */
    private interface Writing {
        void run() throws SQLException;
    }

    private void run(List<Write> writes) throws SQLException {
        for (var tableWrites : byTable(writes)) {
            tableWrites.run(writer);
        }
    }

    private void apply(Writing writing) {
        failStop.refuseIfStopped();
        var step = Step.BEFORE_COMMIT;
        try {
            writer.run(dialect.beginWrite());
            writing.run();
            step = Step.COMMIT;
            writer.run("COMMIT");
        } catch (SQLException e) {
            // Classified first: if it is fatal, what the rollback says no longer matters.
            var failure = failStop.failed(e, step);
            writer.forgetStatements();
            rollBack();
            throw failure;
        } catch (RuntimeException | Error e) {
            rollBack();
            throw e;
        }
        afterCommit();
    }

    private Collection<TableWrites> byTable(List<Write> writes) {
        var byTable = new LinkedHashMap<SqlTable, TableWrites>();
        for (var write : writes) {
            byTable.computeIfAbsent(sqlOf(write.row().table()), TableWrites::new)
                    .add(write);
        }
        return byTable.values();
    }

    // The writes are durable whatever happens here, so this call succeeds; what it may end is the next one.
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread commits at a time
    private void afterCommit() {
        commits++;
        // The log cannot be started over while somebody looks at it.
        looksLast = false;
        readers.endLooks();
        try {
            dialect.committed(writer, readers);
        } catch (SQLException e) {
            writer.forgetStatements();
            failStop.noticed(e);
        } finally {
            looksLast = true;
        }
    }

    // After some errors the database has rolled back by itself and refuses to do so again. It is sound if a transaction
    // can begin.
    private void rollBack() {
        try {
            writer.run("ROLLBACK");
        } catch (SQLException refused) {
            try {
                writer.forgetStatements();
                writer.run("BEGIN");
                writer.run("ROLLBACK");
            } catch (SQLException e) {
                reopenWriter();
            }
        }
    }

    private void reopenWriter() {
        try {
            writer.close();
            writer = new SqlSession(dialect.openWriter());
        } catch (SQLException e) {
            failStop.stop(e);
        }
    }

    /** Looks between two commits share a transaction, because to begin and end one takes two calls to the system. */
    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        return reading(session -> {
            session.look(commits, dialect.beginRead());
            return new SqlSnapshot(session).get(row);
        });
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        return reading(session -> {
            session.endLook();
            session.run(dialect.beginRead());
            try {
                return block.apply(new SqlSnapshot(session));
            } finally {
                session.run("COMMIT");
            }
        });
    }

    /** Work on one of the readers' connections. */
    private interface Reading<R> {
        R on(SqlSession session) throws SQLException;
    }

    // A connection on which anything failed is not used again: a new one costs little and is sound.
    private <R> R reading(Reading<R> work) {
        failStop.refuseIfStopped();
        SqlSession session;
        try {
            session = readers.take();
        } catch (SQLException e) {
            throw failStop.failed(e, Step.BEFORE_COMMIT);
        }
        boolean sound = false;
        try {
            failStop.refuseIfStopped();
            R result = work.on(session);
            if (!looksLast || session.looksBehind(commits)) {
                session.endLook();
            }
            sound = true;
            return result;
        } catch (SQLException e) {
            throw failStop.failed(e, Step.BEFORE_COMMIT);
        } finally {
            if (sound) {
                readers.giveBack(session);
            } else {
                readers.discard(session);
            }
        }
    }

    @Override
    public void close() {
        failStop.closed();
        try {
            readers.close();
            writer.close();
        } catch (SQLException e) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, "cannot close the database", e);
        } finally {
            // They are large, and somebody may hold on to a closed store.
            tables.clear();
            where.clear();
            dialect.close();
        }
    }

    /** Lets a test of this package set the writer's limits. */
    SqlSession writer() {
        return writer;
    }

    private SqlTable sqlOf(Table<?, ?> table) {
        return tables.computeIfAbsent(table, t -> new SqlTable(dialect, t, where(t.name())));
    }

    private Optional<Whereabouts> where(String table) {
        return table.equals(Tables.KEYS.name())
                ? Optional.of(where.computeIfAbsent(table, name -> new Whereabouts()))
                : Optional.empty();
    }

    /** One reader's view. */
    private final class SqlSnapshot implements Snapshot {

        private final SqlSession session;

        SqlSnapshot(SqlSession session) {
            this.session = session;
        }

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            var table = sqlOf(row.table());
            try {
                return table.find(session, row);
            } catch (SQLException e) {
                session.forgetStatements();
                throw failStop.failed(e, Step.BEFORE_COMMIT);
            }
        }

        @Override
        public List<Range.Hit<StoredRow>> scan(Range<?> range) {
            var table = sqlOf(range.table());
            var postings = range.index().flatMap(table::postings);
            try {
                return postings.isPresent()
                        ? new PostingsScan(postings.get(), range).run(session, table)
                        : SqlScan.run(session::prepare, range, SqlScan.Sends.EACH_ROW);
            } catch (SQLException e) {
                session.forgetStatements();
                throw failStop.failed(e, Step.BEFORE_COMMIT);
            }
        }
    }
}
