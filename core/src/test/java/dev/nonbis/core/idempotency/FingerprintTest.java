package dev.nonbis.core.idempotency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Sha256;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final String BODY = "{\"a\":1,\"b\":\"é\"}";
    private static final Map<String, String> PATH = Map.of("w", "x", "id", "\"");
    private static final String CANONICAL_PATH = "{\"id\":\"\\\"\",\"w\":\"x\"}";

    private static String digest(String text) {
        return Sha256.hex(text.getBytes(UTF_8));
    }

    private static boolean isOf(String fingerprint, String body, Map<String, String> pathParams) {
        return new Fingerprint(fingerprint).isOf(body.getBytes(UTF_8), pathParams);
    }

    @Test
    void it_is_the_digest_of_the_canonical_body_and_with_a_path_one_of_both() {
        assertThat(Fingerprint.of(digest(BODY), Map.of()).value()).isEqualTo("v2:" + digest(BODY));
        assertThat(Fingerprint.of(digest(BODY), PATH).value()).isEqualTo("v2:" + digest(digest(BODY) + CANONICAL_PATH));
    }

    @Test
    void a_request_is_compared_by_the_algorithm_of_the_key() {
        String first = "v1:" + digest("{\"body\":" + BODY + ",\"path\":{}}");
        String firstWithPath = "v1:" + digest("{\"body\":" + BODY + ",\"path\":" + CANONICAL_PATH + "}");
        String second = "v2:" + digest(BODY);
        String secondWithPath = "v2:" + digest(digest(BODY) + CANONICAL_PATH);

        for (var fingerprint : new String[] {first, second}) {
            assertThat(isOf(fingerprint, BODY, Map.of())).isTrue();
            assertThat(isOf(fingerprint, BODY, PATH)).isFalse();
            assertThat(isOf(fingerprint, "{}", Map.of())).isFalse();
        }
        for (var fingerprint : new String[] {firstWithPath, secondWithPath}) {
            assertThat(isOf(fingerprint, BODY, PATH)).isTrue();
            assertThat(isOf(fingerprint, BODY, Map.of())).isFalse();
            assertThat(isOf(fingerprint, BODY, Map.of("id", "other", "w", "x"))).isFalse();
            assertThat(isOf(fingerprint, "{}", PATH)).isFalse();
        }
    }

    @Test
    void a_digest_under_the_wrong_version_is_of_no_request() {
        assertThat(isOf("v1:" + digest(BODY), BODY, Map.of())).isFalse();
        assertThat(isOf("v2:" + digest("{\"body\":" + BODY + ",\"path\":{}}"), BODY, Map.of()))
                .isFalse();
    }
}
