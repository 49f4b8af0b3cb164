package dev.nonbis.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One case of {@code raw-requests.txt}: what a client does with a connection, and what the RFCs expect of the server.
 *
 * @param seen the requests that the handler must see; empty where every request that is answered with 200 is enough
 */
record RawCase(String section, String title, List<Expected> answers, After after, List<String> seen, List<Step> steps) {

    /** What becomes of the connection. */
    enum After {
        OPEN,
        CLOSED,
        EITHER
    }

    /** One answer: its possible statuses. */
    record Expected(Set<String> statuses, boolean head) {

        boolean optional() {
            return statuses.contains("-");
        }

        boolean allows(int status) {
            return statuses.contains(Integer.toString(status));
        }
    }

    /** What the client does next. */
    sealed interface Step {

        @SuppressWarnings("ArrayRecordComponent") // Written to a socket, never compared.
        record Send(byte[] bytes) implements Step {}

        record AwaitAnswer() implements Step {}

        record EndOfStream() implements Step {}
    }

    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

    static List<RawCase> all() {
        try (var in = Objects.requireNonNull(RawCase.class.getResourceAsStream("raw-requests.txt"))) {
            return parse(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return section + ": " + title;
    }

    int byteCount() {
        return steps.stream()
                .mapToInt(step -> step instanceof Step.Send(var bytes) ? bytes.length : 0)
                .sum();
    }

    /** The same bytes, each written by itself. */
    RawCase byteByByte() {
        var single = new ArrayList<Step>();
        for (var step : steps) {
            if (step instanceof Step.Send(var bytes)) {
                for (byte one : bytes) {
                    single.add(new Step.Send(new byte[] {one}));
                }
            } else {
                single.add(step);
            }
        }
        return new RawCase(section, title, answers, after, seen, single);
    }

    /** The same bytes without a verdict on the answers, for a proxy may answer by itself. */
    RawCase unjudged() {
        var none = answers.stream()
                .map(expected -> new Expected(Set.of("-"), expected.head()))
                .toList();
        return new RawCase(section, title, none, After.EITHER, seen, steps);
    }

    private static List<RawCase> parse(String text) {
        var cases = new ArrayList<RawCase>();
        var section = "";
        for (var block : text.split("\n\n", -1)) {
            var lines = block.lines()
                    .filter(line -> !line.startsWith("# ") && !line.equals("#"))
                    .toList();
            if (lines.isEmpty()) {
                continue;
            }
            if (lines.getFirst().startsWith("== ")) {
                section = lines.getFirst().substring(3);
            } else {
                cases.add(parse(section, lines));
            }
        }
        return cases;
    }

    private static RawCase parse(String section, List<String> lines) {
        if (lines.size() < 3
                || !lines.getFirst().startsWith("-- ")
                || !lines.get(1).startsWith("> ")) {
            throw new IllegalArgumentException("not a case: " + lines);
        }
        var title = lines.getFirst().substring(3);
        var words = List.of(lines.get(1).substring(2).split(" "));
        var answers = words.subList(0, words.size() - 1).stream()
                .map(RawCase::expected)
                .toList();
        var after = After.valueOf(words.getLast().toUpperCase(Locale.ROOT));
        var rest = lines.subList(2, lines.size());
        var seen = rest.stream()
                .filter(line -> line.startsWith("< "))
                .map(line -> line.substring(2))
                .toList();
        var script = rest.stream().filter(line -> !line.startsWith("< ")).collect(Collectors.joining());
        return new RawCase(section, title, answers, after, seen, new Script(script).steps());
    }

    private static Expected expected(String word) {
        var statuses = Set.copyOf(Arrays.asList(word.replace("(HEAD)", "").split("/")));
        return new Expected(statuses, word.contains("(HEAD)"));
    }

    /** Turns the notation of the bytes into steps. */
    private static final class Script {

        private final String text;
        private final List<Step> steps = new ArrayList<>();
        private ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Script(String text) {
            this.text = text;
        }

        List<Step> steps() {
            expand(text);
            flush();
            return List.copyOf(steps);
        }

        private void expand(String part) {
            int at = 0;
            while (at < part.length()) {
                char c = part.charAt(at);
                if (c == '\\') {
                    at = escape(part, at + 1);
                } else if (c == '{') {
                    int end = closing(part, at);
                    macro(part.substring(at + 1, end));
                    at = end + 1;
                } else {
                    bytes.write(c);
                    at++;
                }
            }
        }

        private int escape(String part, int at) {
            switch (part.charAt(at)) {
                case 'r' -> bytes.write('\r');
                case 'n' -> bytes.write('\n');
                case 't' -> bytes.write('\t');
                case '0' -> bytes.write(0);
                case '\\' -> bytes.write('\\');
                case 'x' -> {
                    bytes.write(Integer.parseInt(part.substring(at + 1, at + 3), 16));
                    return at + 3;
                }
                default -> throw new IllegalArgumentException("an unknown escape in " + part);
            }
            return at + 1;
        }

        private void macro(String macro) {
            switch (macro) {
                case "next" -> bytes.writeBytes(NEXT.getBytes(StandardCharsets.US_ASCII));
                case "eof" -> step(new Step.EndOfStream());
                case "wait" -> step(new Step.AwaitAnswer());
                default -> {
                    int star = macro.lastIndexOf('*');
                    for (int i = Integer.parseInt(macro.substring(star + 1)); i > 0; i--) {
                        expand(macro.substring(0, star));
                    }
                }
            }
        }

        private static int closing(String part, int from) {
            int depth = 0;
            for (int i = from; i < part.length(); i++) {
                depth += part.charAt(i) == '{' ? 1 : part.charAt(i) == '}' ? -1 : 0;
                if (depth == 0) {
                    return i;
                }
            }
            throw new IllegalArgumentException("an open brace in " + part);
        }

        private void step(Step step) {
            flush();
            steps.add(step);
        }

        private void flush() {
            if (bytes.size() > 0) {
                steps.add(new Step.Send(bytes.toByteArray()));
                bytes = new ByteArrayOutputStream();
            }
        }
    }
}
