package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/** SQLite in one file: a write-ahead log that is flushed with every commit. */
final class SqliteDialect implements SqlDialect {

    // Each page takes two calls to reach the log and two more from there to the file.
    private static final int PAGE_BYTES = 8192;
    private static final int WRITER_CACHE_KIB = 64 * 1024;
    private static final int READER_CACHE_KIB = 8 * 1024;
    private static final int LOG_FILE_LIMIT_BYTES = 256 << 20;
    // Only a restart of the log waits for anybody, namely for readers of the old one.
    private static final int BUSY_MS = 20;
    // As PRAGMA synchronous tells it.
    private static final int SYNCHRONOUS_FULL = 2;

    private final SqliteFile file;
    private @Nullable WalCheckpoints checkpoints;

    private SqliteDialect(SqliteFile file) {
        this.file = file;
    }

    /**
     * Claims the file, creating it and its directory where they are missing, and brings its tables up to date.
     *
     * @throws StoreUnavailable when the file cannot be used; the message says why
     */
    static SqliteDialect at(Path path) {
        var file = SqliteFile.claim(path);
        var dialect = new SqliteDialect(file);
        try {
            dialect.prepare();
            return dialect;
        } catch (SQLException e) {
            dialect.close();
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, refusal(file.path(), e), e);
        } catch (RuntimeException | Error e) {
            dialect.close();
            throw e;
        }
    }

    private void prepare() throws SQLException {
        if (file.isEmpty()) {
            writeFirstPage();
        }
        try (var connection = openWriter()) {
            SqliteMigrations.run(connection, source());
        }
        file.flushDirectory();
        checkpoints = new WalCheckpoints(open(READER_CACHE_KIB));
    }

    // The first page fixes the size of all. Setting up the log writes it, which the driver does before it sets a size.
    private void writeFirstPage() throws SQLException {
        var source = new SQLiteDataSource();
        source.setUrl(url());
        try (var connection = source.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA page_size = " + PAGE_BYTES);
            statement.execute("VACUUM");
        }
    }

    Path path() {
        return file.path();
    }

    void flushDirectory() {
        file.flushDirectory();
    }

    @Override
    public Connection openWriter() throws SQLException {
        var connection = open(WRITER_CACHE_KIB);
        try (var statement = connection.createStatement()) {
            expect(statement.executeQuery("PRAGMA journal_mode").getString(1).equals("wal"), "journal_mode");
            expect(statement.executeQuery("PRAGMA synchronous").getInt(1) == SYNCHRONOUS_FULL, "synchronous");
        }
        return connection;
    }

    @Override
    public Connection openReader() throws SQLException {
        var connection = open(READER_CACHE_KIB);
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA query_only = 1");
        }
        return connection;
    }

    @Override
    public String beginWrite() {
        return "BEGIN IMMEDIATE";
    }

    @Override
    public String beginRead() {
        return "BEGIN";
    }

    // Without FAIL, SQLite also keeps what it needs to undo a statement of many rows, though we roll back the whole
    // anyway.
    @Override
    public String insertInto() {
        return "INSERT OR FAIL INTO";
    }

    @Override
    public Meaning meaningOf(SQLException error, Step step) {
        return error instanceof SQLiteException sqlite
                ? SqliteErrors.meaningOf(sqlite.getResultCode().code, step)
                : SqliteErrors.meaningOf(error.getErrorCode(), step);
    }

    @Override
    public void committed(SqlSession writer, SqlReaders readers) throws SQLException {
        if (checkpoints != null) {
            checkpoints.committed(writer, readers);
        }
    }

    @Override
    public void close() {
        if (checkpoints != null) {
            checkpoints.close();
        }
        file.close();
    }

    private Connection open(int cacheKib) throws SQLException {
        var connection = source().getConnection();
        try (var statement = connection.createStatement()) {
            // A negative number is a size in KiB.
            statement.execute("PRAGMA cache_size = -" + cacheKib);
            statement.execute("PRAGMA temp_store = MEMORY");
        }
        return connection;
    }

    private SQLiteDataSource source() {
        var config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setWalAutocheckpoint(0);
        config.setJournalSizeLimit(LOG_FILE_LIMIT_BYTES);
        config.setBusyTimeout(BUSY_MS);
        // Each connection is used by one thread at a time.
        config.resetOpenMode(SQLiteOpenMode.FULLMUTEX);
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        config.setGetGeneratedKeys(false);
        var source = new SQLiteDataSource(config);
        source.setUrl(url());
        return source;
    }

    private String url() {
        return "jdbc:sqlite:" + file.path();
    }

    private static void expect(boolean held, String pragma) {
        if (!held) {
            throw new IllegalStateException("SQLite did not accept our " + pragma);
        }
    }

    private static String refusal(Path path, SQLException error) {
        var code = error instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        return switch (code) {
            case SQLITE_NOTADB -> path + " is not a database of SQLite";
            case SQLITE_CORRUPT -> "the database is damaged: " + path;
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM -> "cannot write to the database " + path;
            case SQLITE_FULL -> "no space is left for the database " + path;
            default -> "cannot open the database " + path + ": " + error.getMessage();
        };
    }
}
