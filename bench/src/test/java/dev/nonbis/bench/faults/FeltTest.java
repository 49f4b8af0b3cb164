package dev.nonbis.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.process.ServerCommand;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FeltTest {

    private final Recorder recorder = new Recorder(() -> 0);

    @Test
    void an_internal_error_is_written_down_as_a_mistake_and_a_refusal_for_now_is_not() {
        recorder.sent("acme", Call.get("/api/v1/jobs")).heard(answer(503));
        assertThat(recorder.history().breakdowns()).isEmpty();

        recorder.sent("acme", Call.get("/api/v1/jobs")).heard(answer(500));
        assertThat(recorder.history().breakdowns())
                .singleElement()
                .asString()
                .contains("acme GET /api/v1/jobs got 500");
    }

    @Test
    void a_stop_that_made_nobody_wait_is_told() throws Exception {
        try (var fault = new StoppedServer();
                var ground = Ground.at(fault.data(), ServerCommand.ofThisTree(), Map.of())) {
            recorder.sent("acme", Call.post("/api/v1/jobs", new byte[0])).heard(answer(200));

            fault.wasFelt(new Fault.Scene(ground, recorder, new SplittableRandom(1)));

            assertThat(recorder.history().breakdowns())
                    .singleElement()
                    .asString()
                    .contains("nobody waited");
        }
    }

    private static Answer answer(int status) {
        return new Answer(status, Map.of(), "{\"code\":\"any\"}".getBytes(StandardCharsets.UTF_8));
    }
}
