package dev.nonbis.server.store.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A few connections for reading; who comes first is served first. */
final class SqlReaders {

    /** Opens one more connection. */
    interface Opener {
        Connection open() throws SQLException;
    }

    /** Work on the database. */
    interface Work {
        void run() throws SQLException;
    }

    private static final long LONGEST_WAIT_MS = 500;

    private final int most;
    private final Opener opener;
    private final Semaphore free;
    private final Deque<SqlSession> idle = new ArrayDeque<>();

    SqlReaders(int most, Opener opener) {
        this.most = most;
        this.opener = opener;
        this.free = new Semaphore(most, true);
    }

    SqlSession take() throws SQLException {
        free.acquireUninterruptibly();
        try {
            synchronized (idle) {
                var session = idle.pollFirst();
                if (session != null) {
                    return session;
                }
            }
            return new SqlSession(opener.open());
        } catch (SQLException | RuntimeException | Error e) {
            free.release();
            throw e;
        }
    }

    // The last used goes first: its cache is warm.
    void giveBack(SqlSession session) {
        synchronized (idle) {
            idle.addFirst(session);
        }
        free.release();
    }

    /** Lets go of the states that idle sessions hold on to. */
    void endLooks() {
        synchronized (idle) {
            for (var sessions = idle.iterator(); sessions.hasNext(); ) {
                var session = sessions.next();
                try {
                    session.endLook();
                } catch (SQLException e) {
                    sessions.remove();
                    close(session);
                }
            }
        }
    }

    /**
     * Does this while nobody reads; whoever comes meanwhile waits. It is left undone when somebody goes on reading for long: nobody should
     * have to wait for that.
     */
    void whileNobodyReads(Work work) throws SQLException {
        if (!takeAll()) {
            return;
        }
        try {
            endLooks();
            work.run();
        } finally {
            free.release(most);
        }
    }

    private boolean takeAll() {
        try {
            return free.tryAcquire(most, LONGEST_WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Closes a session that failed instead of giving it back. */
    void discard(SqlSession session) {
        close(session);
        free.release();
    }

    private static void close(SqlSession session) {
        try {
            session.close();
        } catch (SQLException e) {
            // It was broken before; the next reader opens another.
        }
    }

    /** Waits for reads that are under way, then closes all. */
    void close() throws SQLException {
        free.acquireUninterruptibly(most);
        try {
            for (var session : idle) {
                session.close();
            }
            idle.clear();
        } finally {
            free.release(most);
        }
    }
}
