package dev.nonbis.server.store.postgres;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.WriteConflict;
import java.sql.SQLException;
import java.util.Set;

/** What errors of PostgreSQL mean to us. */
final class PostgresErrors {

    /** Where in a transaction an error came up: only a commit can leave its fate open, unless the server says that it failed. */
    enum Step {
        BEFORE_COMMIT,
        COMMIT
    }

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DISK_FULL = "53100";
    private static final String READ_ONLY = "25006";

    // How our statements fail when a row was not as expected.
    private static final String NOT_A_NUMBER = "22P02";
    // The server had ended the session before it was asked to commit.
    private static final String PAUSED_TOO_LONG = "25P03";

    private static final Set<String> CONFLICTS =
            Set.of(UNIQUE_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK, NOT_A_NUMBER);

    private PostgresErrors() {}

    static RuntimeException failure(SQLException error, Step step) {
        var state = String.valueOf(error.getSQLState());
        var message = String.valueOf(error.getMessage());
        if (step == Step.COMMIT && !PAUSED_TOO_LONG.equals(state)) {
            return new StoreUnavailable(Fate.UNKNOWN, Cause.FAILED, message, error);
        }
        if (CONFLICTS.contains(state)) {
            return new WriteConflict(message);
        }
        var why = switch (state) {
            case LOCK_NOT_AVAILABLE -> Cause.BUSY;
            case DISK_FULL -> Cause.FULL;
            default -> Cause.FAILED;
        };
        return new StoreUnavailable(Fate.DID_NOT_HAPPEN, why, message, error);
    }

    /** Whether the connection is to a server that takes no writes, as after a failover. */
    static boolean isReadOnly(SQLException error) {
        return READ_ONLY.equals(error.getSQLState());
    }
}
