package dev.nonbis.server.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.store.sql.SqlDialect.Meaning;
import dev.nonbis.server.store.sql.SqlDialect.Step;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;

/** No test can make a disk refuse to flush, so what we make of it is decided in one table and checked here. */
final class SqliteErrorsTest {

    @ParameterizedTest
    @CsvSource({
        "SQLITE_CONSTRAINT_PRIMARYKEY, CONFLICT, CONFLICT",
        "SQLITE_CONSTRAINT_UNIQUE, CONFLICT, CONFLICT",
        "SQLITE_CONSTRAINT_ROWID, CONFLICT, CONFLICT",
        "SQLITE_CONSTRAINT_NOTNULL, FAILED, FATAL",
        "SQLITE_FULL, FULL, FULL",
        "SQLITE_BUSY, FAILED, FAILED",
        "SQLITE_BUSY_SNAPSHOT, FAILED, FAILED",
        "SQLITE_LOCKED, FAILED, FAILED",
        "SQLITE_NOMEM, FAILED, FAILED",
        "SQLITE_INTERRUPT, FAILED, FAILED",
        "SQLITE_READONLY, FAILED, FATAL",
        "SQLITE_CANTOPEN, FAILED, FATAL",
        "SQLITE_MISUSE, FAILED, FATAL",
        "SQLITE_IOERR, FAILED, FATAL",
        "SQLITE_IOERR_READ, FAILED, FATAL",
        "SQLITE_IOERR_WRITE, FAILED, FATAL",
        "SQLITE_IOERR_FSYNC, FATAL, FATAL",
        "SQLITE_IOERR_DIR_FSYNC, FATAL, FATAL",
        "SQLITE_CORRUPT, FATAL, FATAL",
        "SQLITE_CORRUPT_INDEX, FATAL, FATAL",
        "SQLITE_NOTADB, FATAL, FATAL",
    })
    void every_result_code_has_a_meaning(SQLiteErrorCode code, Meaning beforeCommit, Meaning atCommit) {
        assertThat(SqliteErrors.meaningOf(code.code, Step.BEFORE_COMMIT)).isEqualTo(beforeCommit);
        assertThat(SqliteErrors.meaningOf(code.code, Step.COMMIT)).isEqualTo(atCommit);
    }
}
