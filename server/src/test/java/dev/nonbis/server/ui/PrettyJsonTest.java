package dev.nonbis.server.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonSlice;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PrettyJsonTest {

    @Test
    void each_member_and_each_item_has_a_line() {
        assertThat(pretty("{\"a\":{\"b\":[1,\"x,\\\"}\"],\"c\":[]},\"d\":{}}")).isEqualTo("""
                {
                  "a": {
                    "b": [
                      1,
                      "x,\\"}"
                    ],
                    "c": []
                  },
                  "d": {}
                }""");
        assertThat(pretty("\"\u00e9\\n\"")).isEqualTo("\"\u00e9\\n\"");
        assertThat(pretty("null")).isEqualTo("null");
    }

    @Test
    void of_what_is_large_the_beginning_is_shown_however_deep_it_is() {
        var deep = "[".repeat(60) + "0,".repeat(500_000) + "0" + "]".repeat(60);
        var text = "\"" + "\u00e9".repeat(500_000) + "\"";

        assertThat(pretty(deep))
                .hasSizeLessThan(PrettyJson.MAX_BYTES + 1000)
                .startsWith("[\n  [\n    [")
                .endsWith(" bytes; the API has all of them.");
        assertThat(pretty(text)).hasSizeLessThan(PrettyJson.MAX_BYTES).doesNotContain("\ufffd");
    }

    private static String pretty(String json) {
        return PrettyJson.of(JsonSlice.of(Json.write(Json.parse(json.getBytes(StandardCharsets.UTF_8)))));
    }
}
