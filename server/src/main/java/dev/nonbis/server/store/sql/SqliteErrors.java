package dev.nonbis.server.store.sql;

import dev.nonbis.server.store.sql.SqlDialect.Meaning;
import dev.nonbis.server.store.sql.SqlDialect.Step;
import org.sqlite.SQLiteErrorCode;

/** What SQLite's result codes mean to us. A pure function, because nobody can make a disk fail to flush on demand. */
final class SqliteErrors {

    // An extended code carries its family in the low byte.
    private static final int FAMILY = 0xff;

    private SqliteErrors() {}

    static Meaning meaningOf(int resultCode, Step step) {
        return switch (SQLiteErrorCode.getErrorCode(resultCode)) {
            case SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID, SQLITE_CONSTRAINT_UNIQUE -> Meaning.CONFLICT;
            // After a failed flush the kernel may drop what it could not write and call the next flush a success.
            case SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC -> Meaning.FATAL;
            default -> meaningOfFamily(SQLiteErrorCode.getErrorCode(resultCode & FAMILY), step);
        };
    }

    private static Meaning meaningOfFamily(SQLiteErrorCode family, Step step) {
        return switch (family) {
            case SQLITE_FULL -> Meaning.FULL;
            case SQLITE_IOERR -> step == Step.COMMIT ? Meaning.FATAL : Meaning.FAILED;
            case SQLITE_CORRUPT, SQLITE_NOTADB -> Meaning.FATAL;
            // A commit that was refused for a lock, or for want of memory before writing, can still be rolled back.
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT -> Meaning.FAILED;
            default -> step == Step.COMMIT ? Meaning.FATAL : Meaning.FAILED;
        };
    }
}
