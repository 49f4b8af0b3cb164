package dev.nonbis.server.policy.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.sun.management.ThreadMXBean;
import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonBool;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions and patterns that were made to take the processor or the memory of everybody. */
class HostileExpressionsTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final JsonObject SCOPE = scope();

    private final CelExpressions expressions = new CelExpressions();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1,1000}){1,1000}){1,1000}",
                "(((a{100}){100}){100}){100}",
                "(?i)(?P<x>(?:[a-z]{1000}){1000})",
                "([{}()]{1000}){1000}",
                "([]{]{1000}){1000}",
                "(\\\\{\\\\Q(((\\\\E{1000}){1000}",
                "(\\\\p{Greek}{1000}){1000}",
                "([[:alpha:]]{1000}){1000}",
                "((|){1000}){1000}",
                "(a{0,}{999}b{998,}){500}",
                "(a{1000}b{1000}c{1000}d{1000}){2}",
            })
    void a_pattern_that_grows_is_refused_before_it_is_compiled(String literal) {
        assertThat(expressions
                        .complaint("input.text.matches('" + literal + "')")
                        .orElseThrow())
                .contains("when its repetitions are written out")
                .startsWith("1:20: ");
        long before = THREADS.getCurrentThreadAllocatedBytes();
        assertThat(expressions.evaluate("input.text.matches('" + literal + "' + '')", SCOPE))
                .isInstanceOf(Result.LimitExceeded.class);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_BYTES);
    }

    @Test
    void a_pattern_is_bounded_in_length_and_instructions() {
        assertThat(expressions
                        .complaint("input.text.matches('" + "a".repeat(1_001) + "')")
                        .orElseThrow())
                .contains("longer than 1000 characters");
        assertThat(expressions.complaint("input.text.matches('a{300}')").orElseThrow())
                .contains("instructions, more than 250");
        assertThat(expressions
                        .complaint("input.text.matches('" + "(".repeat(3_000) + "')")
                        .orElseThrow())
                .doesNotContain("null");
        assertThat(expressions.complaint("input.text.matches('(a')").orElseThrow())
                .startsWith("1:20: not a regular expression: ");
        assertThat(expressions.complaint("input.text.matches('^[a-z]{3,20}-[0-9]{1,10}$')"))
                .isEmpty();
        assertThat(expressions.evaluate("input.text.matches(input.text)", SCOPE))
                .isInstanceOf(Result.LimitExceeded.class);
    }

    @Test
    void a_scanned_pattern_is_never_smaller_than_what_is_compiled_of_it() {
        var random = new Random(20_26);
        var parts = List.of(
                "a",
                "(",
                ")",
                "(?:",
                "[",
                "]",
                "[^",
                "{2}",
                "{3,}",
                "{1,9}",
                "{,4}",
                "{",
                "}",
                "|",
                "*",
                "+?",
                "\\",
                "\\Q",
                "\\E",
                "\\p{Greek}",
                "\\pL",
                "\\x{61}",
                "\\x61",
                "[:alpha:]",
                "-",
                "^",
                "$",
                ".",
                ":",
                "(?i)",
                "\\b",
                "?");
        int compiled = 0;
        for (int i = 0; i < 100_000; i++) {
            var pattern = new StringBuilder();
            for (int n = 1 + random.nextInt(10); n > 0; n--) {
                pattern.append(parts.get(random.nextInt(parts.size())));
            }
            long size = Patterns.size(pattern.toString());
            if (size > Patterns.MAX_SIZE) {
                continue;
            }
            try {
                int program = Pattern.compile(pattern.toString()).programSize();
                assertThat((long) program).as("%s", pattern).isLessThanOrEqualTo(4 * size + 8);
                compiled++;
            } catch (PatternSyntaxException e) {
                // Most are none.
            }
        }
        assertThat(compiled).isGreaterThan(5_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Each names the whole input a million times.
                "input.xs.map(a, input.xs.map(b, input.xs))",
                "input.xs.map(a, input.xs.map(b, input.xs).size()).size()",
                "input.os.map(a, input.os.map(b, b)).size()",
                // Two long texts that differ in their last character.
                "input.text.contains(input.half)",
                // Thousands of failures that nothing reports.
                "input.xs.all(x, «(x/0==1)||»true)",
                "input.os.all(x, «x.zz||»true)",
                "input.os.all(x, «(true && x.zz)||»true)",
                // Failures that print what they were called with.
                "[[input.text, input.text]].map(l, input.xs.all(x, l[9999999999] == 1 || true))[0]",
                "input.xs.all(x, «timestamp('2026-01-02T03:04:05Z') < timestamp('2026-01-02T03:04:06Z') &&»true)",
                "input.xs.all(x, «input.name.matches('[a-z]{1,60}') &&» true)",
                "input.xs.map(x, input.text + input.text).size()",
            })
    void an_expression_is_stopped_before_it_takes_long(String shape) {
        String expression = Pattern.compile("«(.*)»").matcher(shape).replaceAll("$1".repeat(20));
        assertThat(expressions.complaint(expression)).isEmpty();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        assertThat(expressions.evaluate(expression, SCOPE)).isInstanceOf(Result.LimitExceeded.class);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_BYTES);
    }

    @Test
    void naming_a_large_value_costs_what_naming_a_small_one_does() {
        assertThat(expressions.evaluate("input.xs.map(x, x + input.xs[x] + input.os[x].a).size() == 1000", SCOPE))
                .isEqualTo(new Result.Value(new JsonBool(true)));
    }

    @Test
    void lists_that_share_their_beginning_do_not_see_each_other() {
        var shared = "[[1].map(x, x) + [2]].map(l, [l + [3], l + [4], l + l, l])[0]";
        assertThat(shown(expressions.evaluate(shared, SCOPE))).isEqualTo("[[1,2,3],[1,2,4],[1,2,1,2],[1,2]]");
    }

    @Test
    void whatever_an_expression_does_the_memory_it_makes_is_bounded() {
        var random = new Random(8_128);
        int stopped = 0;
        for (int i = 0; i < 1_500; i++) {
            String expression = new Grammar(random).expression(5);
            if (expressions.complaint(expression).isPresent()) {
                continue;
            }
            long before = THREADS.getCurrentThreadAllocatedBytes();
            var result = expressions.evaluate(expression, SCOPE);
            long made = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(made).as(expression).isLessThan(MOST_BYTES);
            stopped += result instanceof Result.LimitExceeded ? 1 : 0;
        }
        assertThat(stopped).isGreaterThan(50);
    }

    /** Expressions that often have a value and often a large one. */
    private record Grammar(Random random) {

        String expression(int depth) {
            if (depth == 0) {
                return pick(
                        "input.xs",
                        "input.os",
                        "input.text",
                        "input.half",
                        "input.name",
                        "1",
                        "'ab'",
                        "[1]",
                        "input",
                        "1.5e300");
            }
            String inner = expression(depth - 1);
            return switch (random.nextInt(14)) {
                case 0 -> "[" + inner + ", " + expression(depth - 1) + "]";
                case 1 -> "{'a': " + inner + ", 'b': " + inner + "}";
                case 2 -> inner + " + " + inner;
                case 3 -> list() + ".map(v" + depth + ", " + inner + ")";
                case 4 -> "[" + inner + "].map(v" + depth + ", v" + depth + " + v" + depth + ")";
                case 5 -> list() + ".filter(v" + depth + ", " + inner + " != 1)";
                case 6 -> list() + ".all(v" + depth + ", " + inner + " == 7 || true)";
                case 7 -> "(" + inner + ") == (" + expression(depth - 1) + ")";
                case 8 -> "(" + inner + ")[" + pick("0", "9999999999", "'a'") + "]";
                case 9 -> "string(" + inner + ")";
                case 10 -> "bytes(string(" + inner + "))";
                case 11 -> "(" + inner + " in " + list() + ")";
                case 12 ->
                    pick("input.text", "input.half") + pick(".contains", ".matches", ".startsWith") + "(string(" + inner
                            + "))";
                default -> list() + ".map(w" + depth + ", [" + inner + ", w" + depth + "])";
            };
        }

        private String list() {
            return pick("input.xs", "input.os", "[1, 2, 3]", "[input.text, input.half]", "[input.xs]");
        }

        private String pick(String... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }

    private static JsonObject scope() {
        var numbers = String.join(",", Collections.nCopies(1_000, "1"));
        var objects = String.join(",", Collections.nCopies(1_000, "{\"a\":1,\"b\":\"x\",\"c\":[1,2]}"));
        return (JsonObject)
                Json.parse(("{\"input\":{\"xs\":[" + numbers + "],\"os\":[" + objects + "],\"name\":\"abc\",\"text\":\""
                                + "a".repeat(400_000) + "\",\"half\":\"" + "a".repeat(200_000) + "b\"},\"steps\":{}}")
                        .getBytes(UTF_8));
    }

    private static String shown(Result result) {
        return switch (result) {
            case Result.Value(var value) -> new String(Json.canonical(value), UTF_8);
            case Result.NoValue none -> "failed: " + none.why();
        };
    }
}
