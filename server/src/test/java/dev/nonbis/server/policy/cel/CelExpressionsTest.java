package dev.nonbis.server.policy.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelExpressionsTest {

    private static final JsonObject SCOPE = object("""
            {"input": {"eur": 100, "rate": 1.5, "name": "Zoë 😀", "tags": ["a", "b"], "none": null, "deep": {"x": {"y": true}},
                       "items": [{"sku": "s1", "qty": 2}, {"sku": "s2", "qty": 3}], "huge": 1e300},
             "steps": {"charge": {"output": {"id": "ch_1", "fee": 0.25}}, "empty": {"output": null}}}
            """);

    private final CelExpressions expressions = new CelExpressions();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            input.eur > 100                                  | false
            input.eur == 100                                 | true
            input.eur == 100.0                               | true
            input.eur > 99.5                                 | true
            input.rate > 1                                   | true
            input.rate == 1.5                                | true
            1.5 > input.eur                                  | false
            input.eur + 1                                    | 101
            double(input.eur) * input.rate                   | 150
            input.name                                       | "Zoë 😀"
            input.name + "!"                                 | "Zoë 😀!"
            size(input.tags)                                 | 2
            "b" in input.tags                                | true
            "eur" in input                                   | true
            input.none                                       | null
            input.none == null                               | true
            has(input.nope)                                  | false
            has(input.eur) && input.eur > 5                  | true
            has(input.deep.x.y)                              | true
            input.deep                                       | {"x":{"y":true}}
            input.deep == {"x": {"y": true}}                 | true
            input.tags == ["a", "b"]                         | true
            steps.charge.output.id                           | "ch_1"
            steps.charge.output.fee < 1                      | true
            steps.empty.output == null                       | true
            input.items.map(i, i.sku)                        | ["s1","s2"]
            input.items.map(i, {"id": i.sku, "n": i.qty + 1}) | [{"id":"s1","n":3},{"id":"s2","n":4}]
            input.items.filter(i, i.qty > 2)                 | [{"qty":3,"sku":"s2"}]
            input.items.exists(i, i.sku == "s2")             | true
            input.items.all(i, i.qty > 2)                    | false
            input.name.matches("^Z.*")                       | true
            input.huge                                       | 1e+300
            string(input.eur) + " EUR"                       | "100 EUR"
            string(timestamp("2026-01-02T03:04:05Z"))        | "2026-01-02T03:04:05Z"
            input.eur > 50 ? "big" : "small"                 | "big"
            7u                                               | 7
            """)
    void an_expression_gives_its_value(String expression, String json) {
        assertThat(expressions.complaint(expression)).isEmpty();
        assertThat(shown(expressions.evaluate(expression, SCOPE))).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            input.nope                      | key 'nope' is not present
            steps.nope.output               | key 'nope' is not present
            has(input.nope.x)               | key 'nope' is not present
            input.tags[7]                   | Index out of bounds: 7
            input.name > 3                  | No matching overload
            1 / (input.eur - 100)           | / by zero
            9007199254740992                | beyond ±(2^53 - 1)
            -9007199254740992               | beyond ±(2^53 - 1)
            18446744073709551615u           | beyond ±(2^53 - 1)
            9223372036854775807 + input.eur | overflow
            1.0 / 0.0                       | not finite
            b"abc"                          | bytes are not JSON
            timestamp("2026-01-02T03:04:05Z") | a timestamp is not JSON
            duration("1s")                  | a duration is not JSON
            type(1)                         | a type is not JSON
            {1: 2}                          | keys are not strings
            """)
    void what_has_no_value_fails_with_the_reason(String expression, String reason) {
        assertThat(expressions.evaluate(expression, SCOPE))
                .isInstanceOfSatisfying(
                        Result.Failed.class, failed -> assertThat(failed.why()).contains(reason));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            input.eur >         | 1:12: mismatched input
            inptu.eur > 1       | 1:1: undeclared reference to 'inptu'
            1 + "a"             | 1:3: found no matching overload
            nope(input)         | 1:5: undeclared reference to 'nope'
            ``                  | 1:1: the expression is empty
            input.?eur          | 1:6: unsupported syntax
            "open               | 1:1: token recognition error
            """)
    void a_bad_expression_is_refused_with_its_place(String expression, String complaint) {
        assertThat(expressions.complaint(expression).orElseThrow())
                .startsWith(complaint)
                .doesNotContain("\n");
        assertThat(expressions.evaluate(expression, SCOPE)).isInstanceOf(Result.Failed.class);
    }

    @Test
    void an_expression_is_bounded_in_length_nesting_and_parts() {
        assertThat(expressions.complaint("1" + " ".repeat(4_096)).orElseThrow()).contains("longer than 4096");
        assertThat(expressions.complaint("(".repeat(40) + "1" + ")".repeat(40)).orElseThrow())
                .contains("recursion limit");
        assertThat(expressions.complaint("[".repeat(2_000)).orElseThrow()).doesNotContain("\n");
        assertThat(expressions.complaint("!".repeat(2_001) + "true")).isNotNull();
        assertThat(expressions.complaint("-".repeat(2_001) + "1")).isNotNull();
        assertThat(expressions.complaint("1" + "+1".repeat(1_500)).orElseThrow())
                .isNotEmpty();
        assertThat(expressions.complaint("input" + ".a".repeat(1_500)).orElseThrow())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Text that doubles.
                "['0123456789abcdef']<.map(x, x + x)>[0].size()",
                // Bytes that double.
                "[bytes('0123456789abcdef')]<.map(x, x + x)>[0].size()",
                // A list that doubles.
                "[[1]]<.map(x, x + x)>",
                "[[1]]<.map(x, x + x)>[0].size()",
                "[[1]]<.map(x, x + x)>[0] == [1]",
                // A tree that shares its branches doubles without a loop over it.
                "[1]<.map(x, [x, x])>",
                "[1]<.map(x, [x, x])> == [2]<.map(x, [x, x])>",
                "[1]<.map(x, {'a': x, 'b': x})>",
                // A refusal that an operator would swallow.
                "[1]<.map(x, [x, x])> == [] || true",
            })
    void a_value_that_doubles_with_every_link_is_stopped(String shape) {
        String link = shape.substring(shape.indexOf('<') + 1, shape.indexOf('>'));
        String expression = shape.replace("<" + link + ">", link.repeat(28));
        assertThat(expressions.complaint(expression)).isEmpty();
        assertThat(expressions.evaluate(expression, SCOPE)).isInstanceOf(Result.LimitExceeded.class);
    }

    @Test
    void loops_are_bounded_in_rounds_however_they_nest() {
        var digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
        var expression = digits
                + ".all(a, %1$s.all(b, %1$s.all(c, %1$s.all(d, %1$s.all(e, a + b + c + d + e >= 0)))))"
                        .formatted(digits);
        assertThat(expressions.evaluate(expression, SCOPE)).isInstanceOf(Result.LimitExceeded.class);
    }

    @Test
    void reading_a_large_value_again_and_again_is_stopped() {
        var scope = object("{\"input\":{\"big\":\"" + "a".repeat(900_000) + "\",\"list\":[" + "1,".repeat(4_999)
                + "1]},\"steps\":{}}");
        assertThat(expressions.evaluate("input.list.all(x, !input.big.contains('b'))", scope))
                .isInstanceOf(Result.LimitExceeded.class);
        assertThat(expressions.evaluate("input.list.all(x, input.list == input.list)", scope))
                .isInstanceOf(Result.LimitExceeded.class);
        assertThat(expressions.evaluate("input.big.matches('(a|b)*c')", scope))
                .isInstanceOf(Result.LimitExceeded.class);
        assertThat(shown(expressions.evaluate("input.big.contains('b')", scope)))
                .isEqualTo("false");
        assertThat(shown(expressions.evaluate("input.list.all(x, x == 1)", scope)))
                .isEqualTo("true");
        assertThat(shown(expressions.evaluate("input.list.map(x, x + 1).size()", scope)))
                .isEqualTo("5000");
    }

    @Test
    void a_list_of_a_thousand_items_can_be_made_into_another() {
        var scope = object("{\"input\":{\"list\":[" + "1,".repeat(999) + "1]},\"steps\":{}}");
        assertThat(shown(expressions.evaluate("input.list.map(x, {'n': x + 1}).filter(x, x.n == 2).size()", scope)))
                .isEqualTo("1000");
    }

    @Test
    void a_value_is_bounded_in_size_and_depth() {
        var big = object("{\"input\":{\"big\":\"" + "é".repeat(300_000) + "\"},\"steps\":{}}");
        assertThat(shown(expressions.evaluate("input.big", big))).hasSize(300_002);
        assertThat(expressions.evaluate("[input.big, input.big]", big)).isInstanceOf(Result.LimitExceeded.class);
        var deep = object("{\"input\":" + "[".repeat(60) + "]".repeat(60) + ",\"steps\":{}}");
        assertThat(expressions.evaluate("input", deep)).isInstanceOf(Result.LimitExceeded.class);
        assertThat(expressions.evaluate("input[0][0][0][0][0][0][0][0][0][0][0][0]", deep))
                .isInstanceOf(Result.Value.class);
    }

    @Test
    void half_a_character_never_becomes_a_value() {
        assertThat(expressions.evaluate("'\\ud83d'", SCOPE)).isInstanceOf(Result.Failed.class);
    }

    private static JsonObject object(String json) {
        return (JsonObject) Json.parse(json.getBytes(UTF_8));
    }

    private static String shown(Result result) {
        return switch (result) {
            case Result.Value(var value) -> new String(Json.canonical(value), UTF_8);
            case Result.NoValue none -> "failed: " + none.why();
        };
    }
}
