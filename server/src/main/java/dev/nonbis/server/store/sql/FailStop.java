package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.WriteConflict;
import dev.nonbis.server.store.sql.SqlDialect.Meaning;
import dev.nonbis.server.store.sql.SqlDialect.Step;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns errors into what callers are told, and remembers the one that ends everything: once it is open what the disk holds, nothing
 * more may be promised on top of it.
 */
final class FailStop {

    private final SqlDialect dialect;
    private final Consumer<Throwable> onFatal;
    private volatile @Nullable StoreUnavailable refusal;

    FailStop(SqlDialect dialect, Consumer<Throwable> onFatal) {
        this.dialect = dialect;
        this.onFatal = onFatal;
    }

    void refuseIfStopped() {
        var why = refusal;
        if (why != null) {
            throw new StoreUnavailable(why.fate(), why.why(), String.valueOf(why.getMessage()), why);
        }
    }

    /** Refuses from now on, unless a failure did so before. */
    synchronized void closed() {
        if (refusal == null) {
            refusal = new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.CLOSED, "the store is closed");
        }
    }

    /** Remembers the error if it is fatal. */
    RuntimeException failed(SQLException error, Step step) {
        var message = String.valueOf(error.getMessage());
        return switch (dialect.meaningOf(error, step)) {
            case CONFLICT -> new WriteConflict(message);
            case FULL ->
                new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FULL, "no space is left for the database", error);
            case FAILED -> new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, message, error);
            case FATAL -> {
                stop(error);
                var fate = step == Step.COMMIT ? Fate.UNKNOWN : Fate.DID_NOT_HAPPEN;
                yield new StoreUnavailable(fate, Cause.FAILED, message, error);
            }
        };
    }

    /** For errors beside a transaction: they concern no caller, but a fatal one still ends everything. */
    void noticed(SQLException error) {
        if (dialect.meaningOf(error, Step.BEFORE_COMMIT) == Meaning.FATAL) {
            stop(error);
        }
    }

    boolean isStopped() {
        return refusal != null;
    }

    void stop(Throwable error) {
        synchronized (this) {
            if (refusal != null) {
                return;
            }
            refusal = new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "the database failed and takes nothing more: " + error.getMessage(),
                    error);
        }
        onFatal.accept(error);
    }
}
