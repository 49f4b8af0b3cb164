package dev.nonbis.core.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.nonbis.Vectors;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    @Test
    void the_quoted_and_the_bare_form_name_the_same_key() {
        assertThat(IdempotencyKey.parseHeader("\"abc\"")).contains(IdempotencyKey.of("abc"));
        assertThat(IdempotencyKey.parseHeader("abc")).contains(IdempotencyKey.of("abc"));
        assertThat(IdempotencyKey.parseHeader("  \"abc\"  ")).contains(IdempotencyKey.of("abc"));
        assertThat(IdempotencyKey.parseHeader(" abc ")).contains(IdempotencyKey.of("abc"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = '\u0001',
            value = {
                "\"a\\\"b\" a\"b",
                "\"a\\\\b\" a\\b",
                "\"\\\"\" \"",
                "a\"b a\"b",
                "a\\b a\\b",
                "'foo' 'foo'",
                "a;b=1 a;b=1",
                "!~ !~",
                "a,b a,b"
            })
    void quotes_and_backslashes_are_escaped_in_the_quoted_form_only(String header, String value) {
        assertThat(IdempotencyKey.parseHeader(header)).contains(IdempotencyKey.of(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"k\";a", "\"k\"; a", "\"k\";  a=1;b", "\"k\";*a_-.*9=tok/en:x", "\"k\";a=-12.345",
                        "\"k\";a=\"x \\\" y\"",
                "\"k\";a=?1", "\"k\";a=:aGk=:", "\"k\";a=@-1659578233", "\"k\";a=%\"f%c3%bc\"", "\"k\";a=*", "\"k\";a;a"
            })
    void well_formed_parameters_are_ignored(String header) {
        assertThat(IdempotencyKey.parseHeader(header)).contains(IdempotencyKey.of("k"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"k\"x",
                "\"k\" ;a",
                "\"k\",\"l\"",
                "\"k\"\"l\"",
                "\"k\";",
                "\"k\";A",
                "\"k\";1",
                "\"k\";a=",
                "\"k\";a =1",
                "\"k\";a= 1",
                "\"k\";a=-",
                "\"k\";a=1.",
                "\"k\";a=1.1234",
                "\"k\";a=1234567890123456",
                "\"k\";a=1234567890123.1",
                "\"k\";a=?2",
                "\"k\";a=:aGk=",
                "\"k\";a=@1.5",
                "\"k\";a=%\"%C3\"",
                "\"k\";a=%\"%c\"",
                "\"k\";a=%x",
                "\"k\";a=\"x",
                "\"k\";a=(1)",
                "\"k\";a\t"
            })
    void anything_else_after_the_string_is_refused(String header) {
        assertThat(IdempotencyKey.parseHeader(header)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\"\"",
                "\"",
                "a b",
                "\"a b\"",
                "\ta",
                "a\u0000",
                "é",
                "\"é\"",
                "a\u007f",
                "\"a\u007f\"",
                "\"a\nb\""
            })
    void a_key_has_visible_ascii_characters_only_and_at_least_one(String header) {
        assertThat(IdempotencyKey.parseHeader(header)).isEmpty();
    }

    @Test
    void a_key_has_at_most_255_characters_whatever_its_escapes_take() {
        assertThat(IdempotencyKey.parseHeader("k".repeat(255))).isPresent();
        assertThat(IdempotencyKey.parseHeader("k".repeat(256))).isEmpty();
        assertThat(IdempotencyKey.parseHeader("\"" + "\\\\".repeat(255) + "\""))
                .contains(IdempotencyKey.of("\\".repeat(255)));
        assertThat(IdempotencyKey.parseHeader("\"" + "\\\\".repeat(256) + "\"")).isEmpty();
    }

    @Test
    void a_key_made_by_us_obeys_the_same_rule() {
        for (String bad : List.of("", "a b", "é", "k".repeat(256))) {
            assertThatIllegalArgumentException().isThrownBy(() -> IdempotencyKey.of(bad));
            assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencyKey(bad));
        }
    }

    @Test
    void strings_are_read_by_the_structured_field_rules() {
        JsonArray vectors = (JsonArray) Json.parse(Vectors.bytes("structured-fields/string.json"));

        assertThat(vectors.items()).hasSize(14).allSatisfy(item -> {
            JsonObject vector = (JsonObject) item;
            String header = lines(vector);
            Optional<String> key = IdempotencyKey.parseHeader(header).map(IdempotencyKey::value);
            boolean mustFail = vector.bool("must_fail").orElse(false);
            if (!header.startsWith("\"")) {
                // Not a structured-field string, so our bare form takes it, single quotes and all.
                assertThat(key).as(header).contains(header);
            } else if (mustFail) {
                assertThat(key).as(header).isEmpty();
                assertThat(StructuredString.read(header)).as(header).isEmpty();
            } else {
                String expected = ((JsonString)
                                vector.array("expected").orElseThrow().items().getFirst())
                        .value();
                assertThat(StructuredString.read(header)).as(header).contains(expected);
                // A key is narrower than the string it is sent as: no spaces, not empty, at most 255 characters.
                boolean fitsAKey = !expected.isEmpty() && expected.length() <= 255 && !expected.contains(" ");
                assertThat(key).as(header).isEqualTo(fitsAKey ? Optional.of(expected) : Optional.empty());
            }
        });
    }

    /** Several lines of one field are joined as HTTP joins them. */
    private static String lines(JsonObject vector) {
        return vector.array("raw").orElseThrow().items().stream()
                .map(line -> ((JsonString) line).value())
                .collect(Collectors.joining(", "));
    }
}
