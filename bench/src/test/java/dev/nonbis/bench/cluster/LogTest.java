package dev.nonbis.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Promises;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LogTest {

    private static final Promises NOTHING =
            new Promises(Map.of(), Duration.ZERO, Map.of(), Map.of(), Duration.ofMinutes(2));

    private final Log log = new Log();

    @Test
    void an_internal_error_is_a_violation_and_a_refusal_for_now_is_none() {
        hear(503, "overloaded");
        assertThat(log.judge(new Export(Map.of()), NOTHING)).isEmpty();

        hear(500, "internal_error");
        assertThat(log.judge(new Export(Map.of()), NOTHING))
                .singleElement()
                .asString()
                .contains("internal_error");
    }

    private void hear(int status, String code) {
        var open = log.sent(
                new Exchange.Caller("acme", "alice"), new Exchange.Sent("GET", "/api/v1/runs", Optional.empty(), ""));
        var body = "{\"code\":\"" + code + "\",\"retry\":\"same_key\"}";
        log.answered(open, new Answer(status, Map.of(), body.getBytes(StandardCharsets.UTF_8)));
    }
}
