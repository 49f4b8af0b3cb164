package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.json.InvisibleText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Puts data on stdout: the server's JSON as it came with {@code --json}, else lines for people. */
final class Report {

    @Option(names = "--json", description = "Print the server's JSON.")
    private boolean json;

    boolean isJson() {
        return json;
    }

    /** One object, a member per line. */
    void object(Terminal terminal, Answer answer) {
        if (json) {
            terminal.out().println(InvisibleText.escaped(answer.text()));
        } else {
            object(terminal, answer.body());
        }
        replay(terminal, answer);
    }

    /** A list, as a table of some of its members. */
    void table(Terminal terminal, Answer answer, List<String> columns) {
        if (json) {
            terminal.out().println(InvisibleText.escaped(answer.text()));
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(columns);
        for (var item : answer.body().path("items")) {
            rows.add(columns.stream().map(column -> text(member(item, column))).toList());
        }
        rows(terminal, rows);
        var next = answer.body().path("next");
        if (next.isString()) {
            terminal.err().println("more: --after " + visible(next.asString()));
        }
    }

    /** Rows of cells, each column as wide as its widest. */
    static void rows(Terminal terminal, List<List<String>> rows) {
        rows.forEach(row -> terminal.out().println(padded(row, widths(rows))));
    }

    /** A timeline: one entry per line. */
    void lines(Terminal terminal, Answer answer) {
        if (json) {
            terminal.out().println(InvisibleText.escaped(answer.text()));
            return;
        }
        for (var item : answer.body().path("items")) {
            var line = new ArrayList<String>();
            item.properties().forEach(member -> line.add(member.getKey() + "=" + text(member.getValue())));
            terminal.out().println(String.join("  ", line));
        }
    }

    /** A member by its name, or one inside another by both names and a dot. */
    private static JsonNode member(JsonNode item, String column) {
        var found = item;
        for (var name : column.split("\\.", -1)) {
            found = found.path(name);
        }
        return found;
    }

    private static void object(Terminal terminal, JsonNode body) {
        var width = body.propertyNames().stream().mapToInt(String::length).max().orElse(0);
        for (var member : body.properties()) {
            terminal.out().println(pad(visible(member.getKey()), width) + "  " + text(member.getValue()));
        }
    }

    private static void replay(Terminal terminal, Answer answer) {
        answer.replay()
                .ifPresent(replay -> terminal.err()
                        .println("replayed: blocked by " + replay.blockedBy()
                                + replay.originalRequest()
                                        .map(id -> ", first request " + id)
                                        .orElse("")));
    }

    private static int[] widths(List<List<String>> rows) {
        var widths = new int[rows.getFirst().size()];
        for (var row : rows) {
            for (var i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static String padded(List<String> row, int[] widths) {
        var cells = new ArrayList<String>();
        for (var i = 0; i < widths.length; i++) {
            cells.add(pad(row.get(i), widths[i]));
        }
        return String.join("  ", cells).stripTrailing();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "-";
        }
        return visible(value.isString() ? value.asString() : value.toString());
    }

    /** A server's text must not steer the terminal, and fills one line. */
    static String visible(String text) {
        return InvisibleText.escaped(text)
                .replace("\n", "\\u000a")
                .replace("\r", "\\u000d")
                .replace("\t", "\\u0009");
    }
}
