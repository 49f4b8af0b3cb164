package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The default back end: one SQLite file, used by one server. */
public final class SqliteStore {

    private SqliteStore() {}

    /**
     * Opens the file, creating it and its directory where they are missing.
     *
     * @param onFatal hears once, on the thread that met it, of the failure after which nothing is accepted any more; the server
     *     should end, because only a restart can tell what is on the disk
     * @throws dev.nonbis.core.store.StoreUnavailable when the file cannot be used; the message says why
     */
    public static Backend open(Path file, Consumer<Throwable> onFatal) {
        var dialect = SqliteDialect.at(file);
        var database = SqlBackend.open(dialect, onFatal);
        try {
            var journal = openJournal(dialect, database);
            return new JournaledBackend(database, journal);
        } catch (IOException e) {
            database.close();
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN, Cause.FAILED, "cannot use the journal of " + file + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    /** Brings what only the journal has to the database; from then on it may be written over. */
    private static Journal openJournal(SqliteDialect dialect, SqlBackend database) throws IOException {
        var journal = Journal.open(dialect.path(), database.beginJournal());
        try {
            var left = journal.unapplied();
            if (!left.isEmpty()) {
                database.follow(left);
            }
            dialect.flushDirectory();
            return journal;
        } catch (IOException | RuntimeException | Error e) {
            journal.close();
            throw e;
        }
    }
}
