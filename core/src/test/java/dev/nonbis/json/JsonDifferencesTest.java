package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonDifferencesTest {

    @Test
    void equal_values_differ_nowhere() {
        assertThat(between("{\"a\":1.0,\"b\":[true]}", "{\"b\":[true],\"a\":1}"))
                .isEmpty();
        assertThat(between("-0", "0")).isEmpty();
    }

    @Test
    void members_changed_removed_and_added_are_named() {
        assertThat(between(
                        "{\"z\":1,\"a\":{\"x\":1,\"y\":2},\"k\":0}",
                        "{\"n\":1,\"k\":0,\"a\":{\"y\":3,\"x\":1},\"m\":2}"))
                .containsExactly("/z", "/a/y", "/n", "/m");
    }

    @Test
    void a_member_that_is_null_is_not_an_absent_one() {
        assertThat(between("{\"a\":null}", "{}")).containsExactly("/a");
    }

    @Test
    void arrays_are_compared_place_by_place() {
        assertThat(between("[1,2,3]", "[1,3]")).containsExactly("/1", "/2");
        assertThat(between("[]", "[{},[]]")).containsExactly("/0", "/1");
        assertThat(between("{\"a\":[{\"b\":1}]}", "{\"a\":[{\"b\":2}]}")).containsExactly("/a/0/b");
    }

    @Test
    void another_type_is_one_difference() {
        assertThat(between("{\"a\":{\"b\":1}}", "{\"a\":[1]}")).containsExactly("/a");
        assertThat(between("1", "\"1\"")).containsExactly("");
        assertThat(between("{}", "[]")).containsExactly("");
    }

    @Test
    void names_are_escaped_as_rfc_6901_says() {
        assertThat(between("{\"a/b\":1,\"m~n\":1,\"~1\":1,\"\":1,\" \":1,\"é\\\"\":1}", "{}"))
                .containsExactly("/a~1b", "/m~0n", "/~01", "/", "/ ", "/é\"");
    }

    @Test
    void no_more_are_told_than_asked_for() {
        JsonValue before = parse("{\"a\":[1,2,3],\"b\":{\"c\":1},\"d\":1}");
        JsonValue after = parse("{\"a\":[4,5,6,7],\"e\":1}");

        assertThat(Json.differences(before, after, 0)).isEmpty();
        assertThat(Json.differences(before, after, 2)).containsExactly("/a/0", "/a/1");
        assertThat(Json.differences(before, after, 5)).containsExactly("/a/0", "/a/1", "/a/2", "/a/3", "/b");
        assertThat(Json.differences(before, after, 100))
                .containsExactly("/a/0", "/a/1", "/a/2", "/a/3", "/b", "/d", "/e");
    }

    private static List<String> between(String before, String after) {
        return Json.differences(parse(before), parse(after), 100);
    }

    private static JsonValue parse(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }
}
