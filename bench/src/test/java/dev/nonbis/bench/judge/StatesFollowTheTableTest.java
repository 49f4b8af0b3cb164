package dev.nonbis.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class StatesFollowTheTableTest {

    private static final Instant BEGAN = Instant.parse("2026-03-31T12:00:00Z");
    private static final String JOB = "job_01kn0m2qswtwycqdrydv2refmv";

    @Test
    void a_message_may_go_out_when_a_state_has_promised_it() {
        assertThat(publishedAfter(Duration.ofSeconds(11), Duration.ZERO)).isEmpty();
    }

    @Test
    void a_message_that_goes_out_before_the_state_that_promises_it_is_found_though_the_state_follows() {
        assertThat(publishedAfter(Duration.ofSeconds(9), Duration.ZERO))
                .singleElement()
                .satisfies(found -> assertThat(found.guarantee()).isEqualTo(Guarantee.G6));
    }

    @Test
    void a_server_whose_clock_is_ahead_is_not_blamed_for_it() {
        assertThat(publishedAfter(Duration.ofSeconds(9), Duration.ofSeconds(1))).isEmpty();
    }

    /** What is found when the state is written ten seconds after the beginning, by the clock of its server. */
    private static List<Violation> publishedAfter(Duration time, Duration clockError) {
        var job = JsonMapper.shared().readTree("""
                {"job_id":"%s","state":"DISPATCHED","timeline":[
                 {"at":"2026-03-31T12:00:00.000000Z","type":"PENDING","data":{}},
                 {"at":"2026-03-31T12:00:10.000000Z","type":"SCHEDULED","data":{}},
                 {"at":"2026-03-31T12:00:10.000000Z","type":"DISPATCHED","data":{"message_id":"jobreq:%s"}}]}
                """.formatted(JOB, JOB));
        var tenant = Export.OfTenant.empty(JsonMapper.shared().createObjectNode());
        tenant.jobs().put(JOB, job);
        var history = new History(BEGAN);
        history.published(new History.Publish("acme", "jobreq:" + JOB, JOB, true, time.toNanos() / 1000));
        var promises = new Promises(Map.of(), clockError, Map.of(), List.of(), Duration.ofMinutes(2));
        return new StatesFollowTheTable().check(history, new Export(Map.of("acme", tenant)), promises);
    }
}
