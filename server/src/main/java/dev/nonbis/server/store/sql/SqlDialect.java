package dev.nonbis.server.store.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** What one database does differently. */
interface SqlDialect extends AutoCloseable {

    /** Where in a transaction an error came up: only a commit can leave its fate open. */
    enum Step {
        BEFORE_COMMIT,
        COMMIT
    }

    /** What an error means to us. */
    enum Meaning {
        /** A row was there already. */
        CONFLICT,
        /** Nothing was applied: no space is left. */
        FULL,
        /** Nothing was applied; a later try may succeed. */
        FAILED,
        /** What is on the disk is no longer known: nothing more may be promised on top of it. */
        FATAL
    }

    Connection openWriter() throws SQLException;

    Connection openReader() throws SQLException;

    String beginWrite();

    /** Begins a transaction in which all reads see one state. */
    String beginRead();

    /** The words before the table's name in an insert that fails when the row exists; the transaction is rolled back then. */
    String insertInto();

    Meaning meaningOf(SQLException error, Step step);

    /** Called by the writer after each commit, outside any transaction; it may keep the readers waiting for a moment. */
    void committed(SqlSession writer, SqlReaders readers) throws SQLException;

    @Override
    void close();
}
