package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Ending;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the write-ahead log short. A thread of its own copies the log into the file while the writer goes on. It can never catch up
 * with a busy writer, so the log is started over by the writer itself, between two batches, when little is left to copy; readers
 * that still need the old log make it wait a moment, and then it tries again later. Where neither has come about for long, the writer
 * waits for the copying and keeps readers away for a moment in which it starts the log over, if those that read already leave in time.
 */
final class WalCheckpoints implements AutoCloseable {

    /** Pages that wait to be copied before the copying thread is woken. */
    private static final int COPY_FROM_PAGES = 2_000;

    /** Pages in the log from which the writer starts it over. */
    private static final int RESTART_FROM_PAGES = 8_000;

    /** Pages in the log from which the writer insists on it. */
    private static final int INSIST_FROM_PAGES = 14_000;

    /** Pages by which the log must have grown before a restart that readers held up is tried again. */
    private static final int RETRY_AFTER_PAGES = 1_000;

    /** How long to wait for the copying before looking whether its thread is still there. */
    private static final long LOOK_AGAIN_MS = 1_000;

    /** The log's length in pages, and how many of them are in the database file already. */
    record Log(boolean busy, int pages, int copied) {}

    private final Connection copying;
    private final Thread thread;
    private volatile boolean copyDue;
    private volatile boolean closing;
    private volatile @Nullable SQLException failure;
    private int restartFrom = RESTART_FROM_PAGES;

    WalCheckpoints(Connection copying) {
        this.copying = copying;
        this.thread = Thread.ofPlatform().name("nonbis-checkpoint").daemon().start(this::copyUntilClosed);
    }

    /** Called by the writer between transactions. */
    void committed(SqlSession writer, SqlReaders readers) throws SQLException {
        var failed = failure;
        if (failed != null) {
            failure = null;
            throw failed;
        }
        var log = run(writer.prepare("PRAGMA wal_checkpoint(NOOP)"));
        if (log.pages < RESTART_FROM_PAGES) {
            // The database starts it over by itself when all of it was copied and nobody reads.
            restartFrom = RESTART_FROM_PAGES;
        }
        if (log.pages >= Math.max(restartFrom, INSIST_FROM_PAGES)) {
            insist(writer, readers, log);
        } else if (copyDue) {
            return;
        } else if (log.pages >= restartFrom) {
            startOver(writer);
        } else if (log.pages - log.copied >= COPY_FROM_PAGES) {
            copyDue = true;
            LockSupport.unpark(thread);
        }
    }

    private void insist(SqlSession writer, SqlReaders readers, Log log) throws SQLException {
        // Whatever comes of it: another program that copies the database may need the log for long, and then this would
        // only hold up others.
        restartFrom = log.pages + log.pages / 4;
        awaitCopying();
        // What came since it began, so that readers do not have to wait for that.
        run(writer.prepare("PRAGMA wal_checkpoint(PASSIVE)"));
        readers.whileNobodyReads(() -> startOver(writer));
    }

    private void startOver(SqlSession writer) throws SQLException {
        var log = run(writer.prepare("PRAGMA wal_checkpoint(RESTART)"));
        restartFrom = log.busy ? Math.max(restartFrom, log.pages + RETRY_AFTER_PAGES) : RESTART_FROM_PAGES;
    }

    private synchronized void awaitCopying() {
        boolean interrupted = false;
        while (copyDue && thread.isAlive()) {
            try {
                wait(LOOK_AGAIN_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void copied() {
        copyDue = false;
        notifyAll();
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        Ending.await(List.of(thread));
    }

    private void copyUntilClosed() {
        try (copying) {
            while (!closing) {
                if (copyDue) {
                    copy();
                } else {
                    LockSupport.park(this);
                }
            }
        } catch (SQLException e) {
            failure = e;
        }
    }

    // The writer hears of a failure at its next commit, for it knows what an error means; a full disk may have room
    // again later.
    private void copy() {
        try (var copy = copying.prepareStatement("PRAGMA wal_checkpoint(PASSIVE)")) {
            run(copy);
        } catch (SQLException e) {
            failure = e;
        } finally {
            copied();
        }
    }

    private static Log run(PreparedStatement checkpoint) throws SQLException {
        try (var rows = checkpoint.executeQuery()) {
            return new Log(rows.getInt(1) != 0, rows.getInt(2), rows.getInt(3));
        }
    }
}
