package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Backend;
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
        return SqlBackend.open(SqliteDialect.at(file), onFatal);
    }
}
