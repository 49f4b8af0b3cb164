package dev.nonbis.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ProblemCodeTest {

    @ParameterizedTest
    @EnumSource
    void a_code_is_found_by_its_word_and_gives_advice(ProblemCode code) {
        assertThat(ProblemCode.of(code.word())).contains(code);
        assertThat(code.word()).matches("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?");
        assertThat(code.status()).isBetween(400, 599);
        assertThat(code.title()).isNotBlank().doesNotEndWith(".");
        assertThat(code.advice()).endsWith(".").hasSizeGreaterThan(60);
    }

    @ParameterizedTest
    @EnumSource
    void what_may_pass_by_itself_is_retried_with_the_same_key(ProblemCode code) {
        boolean passes = code.status() >= 500 || code.status() == 429 || code.status() == 408;
        // Damage does not pass, and neither does a method or coding that the server does not know.
        boolean stays = code == ProblemCode.STORE_DAMAGED || code == ProblemCode.NOT_IMPLEMENTED;

        assertThat(code.retry() == Retry.SAME_KEY).isEqualTo(passes && !stays);
    }

    @ParameterizedTest
    @EnumSource
    void a_refusal_before_any_effect_leaves_the_key_free(ProblemCode code) {
        if (code.status() == 400 || code.status() == 401 || code.status() == 404 || code.status() == 413) {
            assertThat(code.retry()).isEqualTo(Retry.FIX_REQUEST);
        }
    }

    @Test
    void a_problem_says_where_and_how_long_to_wait() {
        var json = Problem.of(ProblemCode.INVALID_FIELD, "too long")
                .at("/labels/a~1b")
                .after(Duration.ofMillis(1500))
                .toJson("req_1");

        assertThat(json)
                .isEqualTo(JsonObject.builder()
                        .put("type", "/problems/invalid_field")
                        .put("title", ProblemCode.INVALID_FIELD.title())
                        .put("status", 400)
                        .put("detail", "too long")
                        .put("instance", "urn:nonbis:request:req_1")
                        .put("code", "invalid_field")
                        .put("retry", "fix_request")
                        .put("retry_after_ms", 1500)
                        .put("pointer", "/labels/a~1b")
                        .build());
    }
}
