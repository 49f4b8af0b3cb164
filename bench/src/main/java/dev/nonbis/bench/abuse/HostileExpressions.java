package dev.nonbis.bench.abuse;

import java.util.Collections;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws expressions over a run's input that cost much more than their length tells, and inputs for them. */
final class HostileExpressions {

    /** As many states as a machine has bytes, in a line. */
    static final String REGEX_BOMB = "((a{1,1000}){1,1000}){1,1000}";

    private static final String NUMBERS =
            IntStream.range(0, 1_000).mapToObj(Integer::toString).collect(Collectors.joining(","));

    private final SplittableRandom random;

    HostileExpressions(SplittableRandom random) {
        this.random = random;
    }

    /** A value for {@code when} or an entry of {@code input}, as text of JSON. */
    String draw() {
        return switch (random.nextInt(7)) {
            case 0 -> "${input.s.matches('" + pattern(1 + random.nextInt(4)) + "')}";
            case 1, 2 -> "${input.s.matches(input.p)}";
            case 3 -> "${size(" + loops(1 + random.nextInt(6)) + ") > 0}";
            case 4 -> "${size(" + many("input.s", " + ", 2 + random.nextInt(300)) + ") > 0}";
            case 5 -> "${size(" + many("input.xs", " + ", 2 + random.nextInt(300)) + ") > 0}";
            default -> "${" + deep(1 + random.nextInt(400)) + " == input.s}";
        };
    }

    /** A body that starts a run. */
    String run() {
        return run(pattern(1 + random.nextInt(4)), 1 + random.nextInt(200_000));
    }

    static String run(String pattern, int length) {
        return "{\"input\":{\"xs\":[" + NUMBERS + "],\"p\":\"" + pattern + "\",\"s\":\"" + "a".repeat(length) + "\"}}";
    }

    String pattern(int depth) {
        if (depth == 0) {
            return switch (random.nextInt(4)) {
                case 0 -> "a";
                case 1 -> "[a-z]";
                case 2 -> "(?:a|b|ab)";
                default -> ".";
            };
        }
        var inner = pattern(depth - 1);
        var next = random.nextInt(3) == 0 ? inner + pattern(0) : inner;
        return "(" + next + ")" + count();
    }

    private String count() {
        int most = 1 + random.nextInt(1_000);
        return switch (random.nextInt(5)) {
            case 0 -> "*";
            case 1 -> "+";
            case 2 -> "{" + most + "}";
            case 3 -> "{" + random.nextInt(most) + "," + most + "}";
            default -> "{1,1000}";
        };
    }

    private String loops(int depth) {
        var name = "v" + depth;
        if (depth == 0) {
            return "input.xs";
        }
        return switch (random.nextInt(3)) {
            case 0 -> "input.xs.filter(" + name + ", size(" + loops(depth - 1) + ") > 0)";
            case 1 -> "input.xs.map(" + name + ", input.s)";
            default -> "input.xs.map(" + name + ", " + loops(depth - 1) + ")";
        };
    }

    private String deep(int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> "(".repeat(depth) + "input.s" + ")".repeat(depth);
            case 1 -> "[".repeat(depth) + "input.s" + "]".repeat(depth);
            default -> "(true ? ".repeat(depth) + "input.s" + " : input.p)".repeat(depth);
        };
    }

    private static String many(String term, String sign, int times) {
        return String.join(sign, Collections.nCopies(times, term));
    }
}
