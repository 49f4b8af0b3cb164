package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CanonicalFormTest {

    @Test
    void members_are_sorted_and_white_space_is_left_out() {
        assertThat(canonical("{ \"b\" : [true, null, false], \"a\" : {\"d\": 1, \"c\": \"x\"} }"))
                .isEqualTo("{\"a\":{\"c\":\"x\",\"d\":1},\"b\":[true,null,false]}");
    }

    @Test
    void only_what_must_be_escaped_is_escaped() {
        assertThat(canonical("\"\\u20ac\\u000f\\u000a\\u0042\\u0022\\u005c\\/\""))
                .isEqualTo("\"€\\u000f\\nB\\\"\\\\/\"");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, 0",
        "1.0, 1",
        "-1.5, -1.5",
        "4.50, 4.5",
        "2e-3, 0.002",
        "1E30, 1e+30",
        "1e21, 1e+21",
        "1e20, 100000000000000000000",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
        "333333333.33333329, 333333333.3333333",
        "0.000000000000000000000000001, 1e-27"
    })
    void numbers_are_printed_as_ecmascript_prints_them(String written, String canonical) {
        assertThat(canonical(written)).isEqualTo(canonical);
    }

    private static String canonical(String json) {
        return CanonicalForm.of(Json.parse(json.getBytes(StandardCharsets.UTF_8)));
    }
}
