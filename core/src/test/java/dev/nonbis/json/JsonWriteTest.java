package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.nonbis.json.JsonValue.JsonString;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWriteTest {

    @Test
    void canonical_sorts_by_utf_16_code_units_and_write_keeps_the_order() {
        JsonObject object = JsonObject.builder()
                .put("\ufb33", 1)
                .put("😂", 2)
                .put("b", JsonObject.builder().put("z", true).put("a", false).build())
                .put("aa", 3)
                .put("a", 4)
                .build();

        assertThat(Json.canonical(object))
                .asString(UTF_8)
                .isEqualTo("{\"a\":4,\"aa\":3,\"b\":{\"a\":false,\"z\":true},\"😂\":2,\"\ufb33\":1}");
        assertThat(Json.write(object))
                .asString(UTF_8)
                .isEqualTo("{\"\ufb33\":1,\"😂\":2,\"b\":{\"z\":true,\"a\":false},\"aa\":3,\"a\":4}");
    }

    @Test
    void only_what_must_be_escaped_is() {
        assertThat(Json.canonical(new JsonString("\u0000\b\t\n\u000b\f\r\u001f \"/\\\u007f\u0080é€\u2028😂")))
                .asString(UTF_8)
                .isEqualTo("\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f \\\"/\\\\\u007f\u0080é€\u2028😂\"");
    }

    @Test
    void strings_longer_than_the_first_buffer_are_written_whole() {
        for (String part : List.of("x", "\u0001", "é", "€", "😂", "x\u0001é€😂")) {
            JsonString string = new JsonString(part.repeat(5_000));
            assertThat(Json.parse(Json.canonical(string))).isEqualTo(string);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void a_lone_surrogate_is_a_mistake_of_ours(int which) {
        String lone = List.of("\ud800", "a\udc00", "\udc00\ud800").get(which);

        assertThatIllegalArgumentException().isThrownBy(() -> Json.canonical(new JsonString(lone)));
        assertThatIllegalArgumentException().isThrownBy(() -> Json.write(new JsonString(lone)));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Json.canonical(JsonObject.builder().put(lone, 1).build()));
    }

    @Test
    void a_value_wrapped_around_the_deepest_text_is_written_and_an_absurd_one_is_not() {
        JsonValue deepest = Json.parse(("[".repeat(64) + "]".repeat(64)).getBytes(UTF_8));
        assertThat(Json.canonical(JsonObject.builder().put("input", deepest).build()))
                .hasSize(128 + "{\"input\":}".length());

        JsonValue absurd = JsonObject.EMPTY;
        for (int i = 0; i < 100_000; i++) {
            absurd = JsonObject.builder().put("a", absurd).build();
        }
        JsonValue hostile = absurd;
        assertThatIllegalArgumentException().isThrownBy(() -> Json.canonical(hostile));
    }
}
