package dev.nonbis.server.policy.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableExpr;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Limits of regular expressions. RE2/J writes counted repetitions out when it compiles: {@code ((a{1000}){1000}){1000}} has 22
 * characters and a thousand million instructions, which no memory holds. So the size is worked out from the text before it is compiled.
 */
final class Patterns {

    /** The longest pattern, in characters. */
    static final int MAX_LENGTH = 1_000;

    /** The largest size of a pattern when its counted repetitions are written out. RE2/J needs up to about 1 ms to compile it. */
    static final int MAX_SIZE = 1_000;

    /** The most instructions of a compiled pattern. */
    static final int MAX_PROGRAM = 250;

    private static final java.util.regex.Pattern UNICODE_CLASS = java.util.regex.Pattern.compile("\\\\[pP]");

    private Patterns() {}

    /** A place in the expression's text and what is wrong with the pattern there. */
    record Unusable(long part, String why) {}

    /** The first pattern that is in an expression as it is and cannot be used. */
    static Optional<Unusable> unusable(CelExpr root) {
        return CelNavigableExpr.fromExpr(root)
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(expr ->
                        expr.getKind() == Kind.CALL && expr.call().function().equals("matches"))
                .map(expr -> expr.call().args().getLast())
                .filter(arg -> arg.getKind() == Kind.CONSTANT)
                .flatMap(
                        arg -> complaint(arg.constant().stringValue()).map(why -> new Unusable(arg.id(), why)).stream())
                .findFirst();
    }

    private static Optional<String> complaint(String pattern) {
        return tooLarge(pattern).or(() -> {
            try {
                int program = Pattern.compile(pattern).programSize();
                return program > MAX_PROGRAM
                        ? Optional.of(
                                "the regular expression has " + program + " instructions, more than " + MAX_PROGRAM)
                        : Optional.empty();
            } catch (PatternSyntaxException e) {
                return Optional.of("not a regular expression: " + e.getDescription());
            } catch (RuntimeException | StackOverflowError e) {
                return Optional.of("not a regular expression that can be compiled");
            }
        });
    }

    /** Why a pattern must not be compiled; empty when it may. */
    static Optional<String> tooLarge(String pattern) {
        if (pattern.length() > MAX_LENGTH) {
            return Optional.of("the regular expression is longer than " + MAX_LENGTH + " characters");
        }
        return size(pattern) > MAX_SIZE
                ? Optional.of(
                        "the regular expression is larger than " + MAX_SIZE + " when its repetitions are written out")
                : Optional.empty();
    }

    /** How many characters, classes, groups and operators a pattern has when its counted repetitions are written out. */
    static long size(String pattern) {
        return new Scan(pattern).size();
    }

    /** How many classes of Unicode a pattern names, at most. */
    static long unicodeClasses(String pattern) {
        return UNICODE_CLASS.matcher(pattern).results().count();
    }

    /** Reads a pattern once. Where it is not one, the size means nothing, and compiling ends at the mistake. */
    private static final class Scan {

        private static final java.util.regex.Pattern COUNTED =
                java.util.regex.Pattern.compile("(?<least>[0-9]+)(,(?<most>[0-9]+)?)?");
        private static final long ENOUGH = Integer.MAX_VALUE;

        private final String pattern;
        private final ArrayDeque<Long> outside = new ArrayDeque<>();
        private int at;
        private long group;
        private long last;

        Scan(String pattern) {
            this.pattern = pattern;
        }

        long size() {
            while (at < pattern.length()) {
                switch (pattern.charAt(at)) {
                    case '\\' -> escape();
                    case '[' -> one(endOfClass());
                    case '{' -> repetition();
                    case '(' -> {
                        outside.push(group);
                        group = 1;
                        at++;
                    }
                    case ')' -> {
                        last = group;
                        group = Math.min(ENOUGH, group + (outside.isEmpty() ? 0 : outside.pop()));
                        at++;
                    }
                    case '*', '+', '?' -> {
                        last++;
                        group++;
                        at++;
                    }
                    default -> one(at + 1);
                }
            }
            return outside.stream().reduce(group, (a, b) -> Math.min(ENOUGH, a + b));
        }

        private void one(int end) {
            last = 1;
            group++;
            at = end;
        }

        private void escape() {
            if (pattern.startsWith("\\Q", at)) {
                int end = pattern.indexOf("\\E", at);
                int to = end < 0 ? pattern.length() : end;
                group += to - at;
                last = 1;
                at = to + 2;
            } else if (at + 2 < pattern.length()
                    && "pPx".indexOf(pattern.charAt(at + 1)) >= 0
                    && pattern.charAt(at + 2) == '{') {
                int end = pattern.indexOf('}', at);
                one(end < 0 ? pattern.length() : end + 1);
            } else {
                one(at + 2);
            }
        }

        private int endOfClass() {
            int i = at + 1;
            i += pattern.startsWith("^", i) ? 1 : 0;
            i += pattern.startsWith("]", i) ? 1 : 0;
            while (i < pattern.length() && pattern.charAt(i) != ']') {
                int named = pattern.startsWith("[:", i) ? pattern.indexOf(":]", i + 2) : -1;
                if (named >= 0) {
                    i = named + 2;
                } else {
                    i += pattern.charAt(i) == '\\' ? 2 : 1;
                }
            }
            return i + 1;
        }

        private void repetition() {
            int end = pattern.indexOf('}', at);
            long times = end < 0 ? 0 : times(pattern.substring(at + 1, end));
            if (times == 0) {
                one(at + 1);
                return;
            }
            long written = Math.min(ENOUGH, Math.max(1, last) * times);
            group = Math.min(ENOUGH, group + written);
            last = written;
            at = end + 1;
        }

        /** How often {@code n}, {@code n,} or {@code n,m} repeats at most, written out; 0 when it is none of them. */
        private static long times(String text) {
            var counted = COUNTED.matcher(text);
            if (!counted.matches()) {
                return 0;
            }
            String most = counted.group("most");
            return 1 + Math.max(number(counted.group("least")), most == null ? 0 : number(most));
        }

        private static long number(String digits) {
            return digits.length() > 9 ? ENOUGH : Long.parseLong(digits);
        }
    }
}
