package dev.nonbis.server.store.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One connection with the statements that it has prepared. Used by one thread at a time. */
final class SqlSession implements AutoCloseable {

    /** Binds one element's values from the parameter on. */
    interface Binder<T> {
        /** Returns the first parameter after the bound ones. */
        int bind(PreparedStatement statement, int parameter, T element) throws SQLException;
    }

    /** Runs one chunk's statement, with all its parameters bound. */
    interface Runner<T> {
        void run(PreparedStatement statement, List<T> chunk) throws SQLException;
    }

    final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private boolean looking;
    private long lookingAt;

    SqlSession(Connection connection) {
        this.connection = connection;
    }

    PreparedStatement prepare(String sql) throws SQLException {
        var statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        return statement;
    }

    void run(String sql) throws SQLException {
        prepare(sql).executeUpdate();
    }

    /** Begins to look at the state after so many commits, unless a look at just that state is under way. */
    void look(long commits, String begin) throws SQLException {
        if (looking && lookingAt == commits) {
            return;
        }
        endLook();
        run(begin);
        looking = true;
        lookingAt = commits;
    }

    /** Whether it holds on to a state from before the last of so many commits. */
    boolean looksBehind(long commits) {
        return looking && lookingAt != commits;
    }

    void endLook() throws SQLException {
        if (looking) {
            looking = false;
            run("COMMIT");
        }
    }

    /** Runs the statement over all elements in as few chunks as there are: a native call costs more than a row. */
    <T> void inChunks(SqlTable.Chunked sql, List<T> elements, Binder<T> binder, Runner<T> runner) throws SQLException {
        int from = 0;
        while (from < elements.size()) {
            int left = elements.size() - from;
            int power = Math.min(SqlTable.MAX_POWER, 31 - Integer.numberOfLeadingZeros(left));
            var chunk = elements.subList(from, from + (1 << power));
            var statement = prepare(sql.byPower().get(power));
            int parameter = 1;
            for (T element : chunk) {
                parameter = binder.bind(statement, parameter, element);
            }
            runner.run(statement, chunk);
            from += 1 << power;
        }
    }

    /** After an error: the driver closes some statements that failed, without saying which. */
    void forgetStatements() {
        for (var statement : prepared.values()) {
            try {
                statement.close();
            } catch (SQLException e) {
                // It is forgotten either way; closing only frees its memory sooner than closing the connection would.
            }
        }
        prepared.clear();
    }

    @Override
    public void close() throws SQLException {
        forgetStatements();
        connection.close();
    }
}
