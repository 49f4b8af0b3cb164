package dev.nonbis.core.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final JsonObject BODY =
            JsonObject.builder().put("b", "é").put("a", 1).build();

    private static String digest(String canonical) {
        return "v1:" + Sha256.hex(canonical.getBytes(UTF_8));
    }

    private static Fingerprint of(Map<String, String> pathParams) {
        return Fingerprint.of(Json.canonical(BODY), pathParams);
    }

    @Test
    void it_is_the_digest_of_body_and_path_in_canonical_form() {
        assertThat(of(Map.of()).value()).isEqualTo(digest("{\"body\":{\"a\":1,\"b\":\"é\"},\"path\":{}}"));
        assertThat(of(Map.of("w", "x", "id", "\"")).value())
                .isEqualTo(digest("{\"body\":{\"a\":1,\"b\":\"é\"},\"path\":{\"id\":\"\\\"\",\"w\":\"x\"}}"));
    }
}
