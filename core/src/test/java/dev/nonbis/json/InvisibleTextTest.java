package dev.nonbis.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class InvisibleTextTest {

    @Test
    void characters_that_are_not_seen_are_escaped_and_all_others_stay() {
        assertThat(InvisibleText.escaped("pay \u202e001\u202c EUR")).isEqualTo("pay \\u202e001\\u202c EUR");
        assertThat(InvisibleText.escaped("a\u0000b\u001b[31m\u2028\u3164"))
                .isEqualTo("a\\u0000b\\u001b[31m\\u2028\\u3164");
        assertThat(InvisibleText.escaped("tag \udb40\udc41")).isEqualTo("tag \\udb40\\udc41");
        for (var plain : new String[] {"", "two\r\nlines\tand a tab", "Grüße, 日本語, שלום, 😀"}) {
            assertThat(InvisibleText.isIn(plain)).isFalse();
            assertThat(InvisibleText.escaped(plain)).isEqualTo(plain);
        }
    }

    @Test
    void escaped_json_means_the_same() {
        byte[] json = Json.write(JsonObject.builder()
                .put("prompt", "\u202eabc\udb40\udc41\u0085")
                .build());
        String escaped = InvisibleText.escaped(new String(json, StandardCharsets.UTF_8));

        assertThat(escaped).isEqualTo("{\"prompt\":\"\\u202eabc\\udb40\\udc41\\u0085\"}");
        assertThat(Json.parse(escaped.getBytes(StandardCharsets.UTF_8))).isEqualTo(Json.parse(json));
    }
}
