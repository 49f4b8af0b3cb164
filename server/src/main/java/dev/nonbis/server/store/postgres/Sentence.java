package dev.nonbis.server.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several statements that go to the server, and whose results come back, in one round trip. */
final class Sentence {

    /** A statement with the arrays that it takes. */
    record Part(String sql, List<Argument> arguments, Answer answer) {}

    /** An array and the type of its elements. */
    record Argument(String type, @Nullable Object[] elements) {}

    /** Takes one statement's result. */
    interface Answer {
        void of(PreparedStatement statement) throws SQLException;
    }

    private final List<Part> parts = new ArrayList<>();

    void add(Part part) {
        parts.add(part);
    }

    /** A statement that has nothing to say unless it fails. */
    void add(String sql, Argument... arguments) {
        parts.add(new Part(sql, List.of(arguments), statement -> {}));
    }

    // The driver splits the text and prepares each statement by itself; the text is the key to what it has prepared.
    void say(Connection connection) throws SQLException {
        if (parts.isEmpty()) {
            return;
        }
        var text = String.join(";", parts.stream().map(Part::sql).toList());
        try (var statement = connection.prepareStatement(text)) {
            int parameter = 1;
            for (var part : parts) {
                for (var argument : part.arguments) {
                    statement.setArray(parameter++, connection.createArrayOf(argument.type, argument.elements));
                }
            }
            statement.execute();
            for (var answers = parts.iterator(); answers.hasNext(); ) {
                answers.next().answer.of(statement);
                if (answers.hasNext()) {
                    statement.getMoreResults();
                }
            }
        }
    }
}
