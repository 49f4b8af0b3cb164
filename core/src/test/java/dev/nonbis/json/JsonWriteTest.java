package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 11, 12, 13, 14, 40})
    void objects_of_any_size_are_sorted_with_each_value_under_its_name(int size) {
        var object = JsonObject.builder();
        var expected = new TreeMap<String, Integer>();
        for (int i = 0; i < size; i++) {
            String name = Integer.toString(i * 7919 % 1009);
            object.put(name, i);
            expected.put(name, i);
        }

        assertThat(Json.canonical(object.build()))
                .asString(UTF_8)
                .isEqualTo(expected.entrySet().stream()
                        .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
                        .collect(Collectors.joining(",", "{", "}")));
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

    @Test
    void texts_that_are_written_at_the_same_time_do_not_mix() {
        var outer = new JsonText().put("a", "outer");
        var inner = new JsonText().put("b", "inner");
        byte[] between = Json.write(new JsonString("between"));
        byte[] first = inner.put("c", 1).end();
        byte[] second = outer.put("d", 2).end();

        assertThat(between).asString(UTF_8).isEqualTo("\"between\"");
        assertThat(first).asString(UTF_8).isEqualTo("{\"b\":\"inner\",\"c\":1}");
        assertThat(second).asString(UTF_8).isEqualTo("{\"a\":\"outer\",\"d\":2}");
    }

    @Test
    void a_text_that_was_ended_takes_nothing_from_those_after_it() {
        var ended = new JsonText().put("a", 1);
        ended.end();
        var other = new JsonText().put("b", "another's, and longer");

        ended.put("c", "a mistake of ours");

        assertThat(other.end()).asString(UTF_8).isEqualTo("{\"b\":\"another's, and longer\"}");
    }

    @Test
    void a_text_that_could_not_be_written_leaves_nothing_in_the_next() {
        var unwritable = JsonArray.ofStrings(List.of("well", "\ud800"));

        assertThatIllegalArgumentException().isThrownBy(() -> Json.write(unwritable));

        assertThat(Json.write(new JsonString("next"))).asString(UTF_8).isEqualTo("\"next\"");
    }

    @Test
    void many_threads_do_not_disturb_each_other() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> same = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                // Some outgrow every buffer that is kept.
                var string = new JsonString(Integer.toString(i).repeat(1 + i % 100 * 50));
                same.add(threads.submit(() -> Json.parse(Json.write(string)).equals(string)));
            }
            for (Future<Boolean> one : same) {
                assertThat(one.get()).isTrue();
            }
        }
    }
}
