package dev.nonbis.server.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.server.store.sql.SqlDialect.Step;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

final class FailStopTest {

    @TempDir
    Path directory;

    private final List<Throwable> heard = new ArrayList<>();

    @Test
    void after_a_failed_flush_the_fate_is_unknown_and_everything_is_refused() {
        try (var dialect = SqliteDialect.at(directory.resolve("nonbis.db"))) {
            var failStop = new FailStop(dialect, heard::add);

            var told = (StoreUnavailable) failStop.failed(error(SQLiteErrorCode.SQLITE_IOERR_FSYNC), Step.COMMIT);

            assertThat(told.fate()).isEqualTo(Fate.UNKNOWN);
            assertThat(told.why()).isEqualTo(Cause.FAILED);
            assertThatThrownBy(failStop::refuseIfStopped)
                    .isInstanceOf(StoreUnavailable.class)
                    .hasMessageContaining("takes nothing more");
            failStop.failed(error(SQLiteErrorCode.SQLITE_IOERR_FSYNC), Step.COMMIT);
            assertThat(heard).hasSize(1);
        }
    }

    @Test
    void a_failed_flush_beside_a_transaction_ends_everything_too() {
        try (var dialect = SqliteDialect.at(directory.resolve("nonbis.db"))) {
            var failStop = new FailStop(dialect, heard::add);

            failStop.noticed(error(SQLiteErrorCode.SQLITE_FULL));
            failStop.refuseIfStopped();
            assertThat(heard).isEmpty();

            failStop.noticed(error(SQLiteErrorCode.SQLITE_IOERR_FSYNC));
            assertThatThrownBy(failStop::refuseIfStopped).isInstanceOf(StoreUnavailable.class);
            assertThat(heard).hasSize(1);
        }
    }

    @Test
    void an_error_that_left_nothing_behind_stops_nothing() {
        try (var dialect = SqliteDialect.at(directory.resolve("nonbis.db"))) {
            var failStop = new FailStop(dialect, heard::add);

            var told = (StoreUnavailable) failStop.failed(error(SQLiteErrorCode.SQLITE_BUSY), Step.COMMIT);

            assertThat(told.fate()).isEqualTo(Fate.DID_NOT_HAPPEN);
            failStop.refuseIfStopped();
            assertThat(heard).isEmpty();
        }
    }

    private static SQLException error(SQLiteErrorCode code) {
        return new SQLiteException("on purpose", code);
    }
}
