package dev.nonbis.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.nonbis.json.JsonRefused.Reason;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonParseTest {

    private static final int MEBIBYTE = 1 << 20;

    @Test
    void every_kind_of_value_is_read() {
        assertThat(parse(
                        " {\"s\":\"é\\n\",\"n\":-1.5e1,\"t\":true,\"f\":false,\"z\":null,\"a\":[1,[]],\"o\":{}}\r\n\t"))
                .isEqualTo(JsonObject.builder()
                        .put("s", "é\n")
                        .put("n", new JsonNumber(-15))
                        .put("t", true)
                        .put("f", new JsonBool(false))
                        .put("z", JsonNull.NULL)
                        .put("a", new JsonArray(List.of(new JsonNumber(1), new JsonArray(List.of()))))
                        .put("o", JsonObject.EMPTY)
                        .build());
    }

    @Test
    void members_keep_the_order_in_which_they_were_sent() {
        assertThat(((JsonObject) parse("{\"b\":1,\"a\":2,\"c\":3}")).members()).containsOnlyKeys("b", "a", "c");
        assertThat(Json.write(parse("{\"b\":1,\"a\":2,\"c\":3}")))
                .asString(UTF_8)
                .isEqualTo("{\"b\":1,\"a\":2,\"c\":3}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[",
                "]",
                "{",
                "}",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "[1}",
                "{\"a\":1]",
                "1 2",
                "1,2",
                "{}{}",
                "[] x",
                "\"a\"\"b\"",
                "true[]",
                "tru",
                "truee",
                "True",
                "nul",
                "NaN",
                "Infinity",
                "-Infinity",
                "-",
                "+1",
                "01",
                "-01",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x10",
                "1_000",
                "\"",
                "\"a",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\t\"",
                "\"\n\"",
                "\u0000",
                "[1]\u0000",
                "\"\u0000\"",
                "// c\n1",
                "/**/1",
                "#1",
                "\u00a01",
                "\u2028[]",
                "\ufeff1",
                "\u000b1",
                "\u001e1"
            })
    void text_that_is_not_one_json_value_is_refused(String text) {
        assertThat(refusal(text.getBytes(UTF_8)).reason()).isEqualTo(Reason.SYNTAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22 80 22",
                "22 ff 22",
                "22 c0 80 22",
                "22 c1 bf 22",
                "22 e0 80 80 22",
                "22 f0 80 80 80 22",
                "22 f4 90 80 80 22",
                "22 f7 bf bf bf 22",
                "22 e2 82",
                "22 e2 82 22",
                "22 c3",
                "c3",
                "22 c3 22",
                "22 f0 9f 98 22",
                "ef bb bf 31",
                "fe ff",
                "22 61 62 63 64 65 66 67 68 c0 80 22",
                "7b 22 c0 80 22 3a 31 7d",
                "5b 31 5d 80",
                "22 5c e2 22"
            })
    void bytes_that_are_not_utf_8_are_refused(String hex) {
        assertThat(refusal(HexFormat.of().parseHex(hex.replace(" ", ""))).reason())
                .isEqualTo(Reason.SYNTAX);
    }

    @Test
    void other_encodings_are_refused() {
        for (Charset charset : List.of(UTF_16BE, UTF_16LE, Charset.forName("UTF-32BE"), Charset.forName("UTF-32LE"))) {
            assertThat(refusal("[1]".getBytes(charset)).reason()).isEqualTo(Reason.SYNTAX);
        }
        assertThat(refusal("[\"é\"]".getBytes(ISO_8859_1)).reason()).isEqualTo(Reason.SYNTAX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"\\u0061\":3}", "{\"\\ud83d\\ude02\":1,\"😂\":2}",
                        "[{\"\":1,\"\":2}]",
                "{\"/\":1,\"\\/\":2}", "{\"a\":{},\"a\":[", "{\"é\":1,\"\\u00e9\":2}", "{\"é\":1,\"\\u00E9\":2}"
            })
    void a_member_name_sent_twice_is_refused_however_it_is_escaped(String text) {
        assertThat(refusal(text.getBytes(UTF_8)).reason()).isEqualTo(Reason.NOT_CANONICAL);
    }

    @Test
    void the_same_name_in_two_objects_is_no_duplicate() {
        assertThat(parse("{\"a\":{\"a\":[{\"a\":1},{\"a\":1}]}}")).isInstanceOf(JsonObject.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\\ud800\"",
                "\"\\udc00\"",
                "\"\\uDC00\\uD800\"",
                "\"\\ud800x\"",
                "\"\\ud800\\n\"",
                "\"\\ud800\\ud800\\udc00\"",
                "\"\\ud800\\u0041\"",
                "{\"\\ud800\":1}",
                "{\"\\udc00\":1}",
                "{\"a\\ud800b\":1}",
                "{\"\\ud800\\u0041\":1}",
                "[{\"x\":\"\\\\\\ud800\"}]",
                "\"😂\\udc00\"",
                "{\"a\":1,\"a\\udfff\":\"\\\\\"}"
            })
    void an_escaped_lone_surrogate_is_refused(String text) {
        assertThat(refusal(text.getBytes(UTF_8)).reason()).isEqualTo(Reason.NOT_CANONICAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22 ed a0 80 22",
                "22 ed bf bf 22",
                "22 ed a0 bd ed b8 82 22",
                "7b 22 ed a0 80 22 3a 31 7d",
                "22 ed a0 bd 5c 75 64 65 30 32 22"
            })
    void an_encoded_surrogate_is_refused(String hex) {
        assertThat(refusal(HexFormat.of().parseHex(hex.replace(" ", ""))).reason())
                .isEqualTo(Reason.NOT_CANONICAL);
    }

    @Test
    void surrogates_in_pairs_and_escaped_backslashes_before_a_u_are_taken() {
        assertThat(parse("\"\\ud83d\\ude02\"")).isEqualTo(new JsonString("😂"));
        assertThat(parse("\"\\uD83D\\uDE02\\\\ud800\"")).isEqualTo(new JsonString("😂\\ud800"));
        assertThat(parse("\"\ud7ff\ue000\"")).isEqualTo(new JsonString("\ud7ff\ue000"));
    }

    @Test
    void a_mistake_before_a_lone_surrogate_is_told_first() {
        assertThat(refusal("[x,\"\\ud800\"]".getBytes(UTF_8)).reason()).isEqualTo(Reason.SYNTAX);
    }

    @Test
    void nesting_ends_at_sixty_four() {
        assertThat(parse(nested("[", "]", 64))).isInstanceOf(JsonArray.class);
        assertThat(parse(nested("{\"a\":", "}", 63).replace(":}", ":{}}"))).isInstanceOf(JsonObject.class);
        assertThat(refusal(nested("[", "]", 65).getBytes(UTF_8)).reason()).isEqualTo(Reason.TOO_DEEP);
        assertThat(refusal(nested("{\"a\":[", "]}", 33).getBytes(UTF_8)).reason())
                .isEqualTo(Reason.TOO_DEEP);
        assertThat(refusal(nested("[],[{},", "]", 65).getBytes(UTF_8)).reason()).isEqualTo(Reason.SYNTAX);
    }

    @Test
    void a_mebibyte_of_brackets_is_refused() {
        for (String bracket : List.of("[", "{\"a\":", "[{\"\":")) {
            byte[] hostile = bracket.repeat(MEBIBYTE / bracket.length()).getBytes(UTF_8);
            assertThat(refusal(hostile).reason()).isEqualTo(Reason.TOO_DEEP);
        }
    }

    @Test
    void a_refusal_tells_where_and_never_what() {
        assertThat(refusal("{\n  \"é\": secret}".getBytes(UTF_8))).hasMessage("not JSON at line 2, column 8");
        assertThat(refusal("{\"é\":1,\n \"é\":2}".getBytes(UTF_8)))
                .hasMessage("a member name for the second time at line 2, column 2");
        assertThat(refusal("[\"\\ud800\"]".getBytes(UTF_8))).hasMessage("a lone surrogate at line 1, column 3");
        assertThat(refusal("[1, 9007199254740993]".getBytes(UTF_8)))
                .hasMessage("a number that a double would change at line 1, column 5");
        assertThat(refusal("[".repeat(65).getBytes(UTF_8))).hasMessage("nested deeper than 64 at line 1, column 65");
        assertThat(refusal("[] []".getBytes(UTF_8))).hasMessage("something after the value at line 1, column 4");
        assertThat(refusal("\n".getBytes(UTF_8))).hasMessage("no value at line 2, column 1");
        assertThat(refusal(new byte[] {'"', 'a', (byte) 0xFF})).hasMessage("not UTF-8 at line 1, column 3");
    }

    @Test
    void long_strings_and_names_and_many_members_are_taken() {
        String large = "x".repeat(MEBIBYTE);
        assertThat(parse("\"" + large + "\"")).isEqualTo(new JsonString(large));
        assertThat(parse("{\"" + large + "\":1}"))
                .isEqualTo(JsonObject.builder().put(large, 1).build());

        StringBuilder many = new StringBuilder("{");
        for (int i = 0; i < 100_000; i++) {
            many.append(i == 0 ? "" : ",").append('"').append(i).append("\":0");
        }
        assertThat(((JsonObject) parse(many.append('}').toString())).members()).hasSize(100_000);
    }

    private static String nested(String open, String close, int times) {
        return open.repeat(times) + close.repeat(times);
    }

    private static JsonValue parse(String text) {
        return Json.parse(text.getBytes(UTF_8));
    }

    private static JsonRefused refusal(byte[] bytes) {
        return catchThrowableOfType(JsonRefused.class, () -> Json.parse(bytes));
    }
}
