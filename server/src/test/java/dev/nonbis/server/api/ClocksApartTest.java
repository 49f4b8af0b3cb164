package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.Store;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.Envelopes;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers on one store whose clocks are five seconds off, in opposite directions. */
final class ClocksApartTest {

    private static final String JOB = "{\"topic\":\"job.default\"}";

    private final Store store = new DirectStore(new MemoryBackend());
    private final PaymentPlane rules = new PaymentPlane();
    private final TestPlane fast = new TestPlane(store, rules.policy, Settings.DEFAULTS);
    private final TestPlane slow = new TestPlane(store, rules.policy, Settings.DEFAULTS);

    @BeforeEach
    void part() {
        fast.clock.advance(Duration.ofSeconds(5));
        slow.clock.advance(Duration.ofSeconds(-5));
    }

    @Test
    void a_key_that_still_counts_for_one_of_them_is_not_removed_by_the_other() {
        var first = submit(slow, "k");
        pass(Duration.ofDays(90).minusSeconds(1));

        for (int i = 0; i < 3; i++) {
            fast.purge.runOnce();
        }

        assertThat(submit(slow, "k").string("job_id")).isEqualTo(first.string("job_id"));
        assertThat(submit(slow, "k").replayed()).isTrue();
    }

    @Test
    void nor_is_it_when_their_clocks_are_a_quarter_of_an_hour_apart() {
        fast.clock.advance(Duration.ofMinutes(7));
        slow.clock.advance(Duration.ofMinutes(-7));
        var first = submit(slow, "k");
        pass(Duration.ofDays(90).minusSeconds(1));

        for (int i = 0; i < 3; i++) {
            fast.purge.runOnce();
        }

        assertThat(submit(slow, "k").string("job_id")).isEqualTo(first.string("job_id"));
    }

    @Test
    void a_key_is_settled_once_wherever_it_is_sent() {
        var first = submit(fast, "k");

        assertThat(submit(slow, "k").replayed()).isTrue();
        assertThat(submit(slow, "k").string("job_id")).isEqualTo(first.string("job_id"));
    }

    @Test
    void a_nonce_is_taken_once_though_its_envelope_has_expired_for_one_of_them() {
        var envelope = Envelopes.valid(slow.clock.instant().plus(Duration.ofMinutes(5)));
        assertThat(pay(fast, "one", envelope).status()).isEqualTo(200);
        // Sixty seconds of grace are over for the fast one, and not for the slow one.
        pass(Duration.ofMinutes(6).minusSeconds(1));
        new SweepNonces(fast.ports).runSeveral();

        assertThat(pay(fast, "two", envelope).code()).isEqualTo("protocol.aprp_expired");
        assertThat(pay(slow, "three", envelope).code()).isEqualTo("protocol.nonce_replay");
    }

    @Test
    void the_audit_chain_holds_though_its_times_go_back_and_forth() {
        for (int i = 0; i < 10; i++) {
            submit(i % 2 == 0 ? fast : slow, "k" + i);
        }

        var previous = "0".repeat(64);
        long seq = 0;
        for (var item : slow.get("/api/v1/audit")
                .send()
                .json()
                .array("items")
                .orElseThrow()
                .items()) {
            var event = (JsonObject) item;
            assertThat(event.integer("seq")).contains(++seq);
            assertThat(event.string("prev_hash")).contains(previous);
            previous = event.string("hash").orElseThrow();
        }
        assertThat(seq).isEqualTo(10);
    }

    @Test
    void a_job_dispatched_by_one_of_them_is_started_once_and_finished_on_the_other() {
        var job = submit(fast, "k").string("job_id");
        pass(Duration.ofSeconds(11));
        new Dispatch(slow.dispatching).runOnce();
        var delivery = (JsonObject) slow.post("/api/v1/worker/poll")
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.default\"],\"max\":1,\"wait_ms\":0}")
                .send()
                .json()
                .array("deliveries")
                .orElseThrow()
                .items()
                .getFirst();
        long fence = delivery.integer("fence").orElseThrow();

        assertThat(call(slow, job, "start", "\"worker_id\":\"w\",\"fence\":" + fence)
                        .status())
                .isEqualTo(200);
        assertThat(call(fast, job, "start", "\"worker_id\":\"other\",\"fence\":" + fence)
                        .code())
                .isEqualTo("claimed_elsewhere");
        assertThat(call(fast, job, "result", "\"worker_id\":\"w\",\"fence\":" + fence + ",\"status\":\"succeeded\"")
                        .status())
                .isEqualTo(200);
        assertThat(slow.get("/api/v1/jobs/" + job).send().string("state")).isEqualTo("SUCCEEDED");
    }

    private void pass(Duration time) {
        fast.clock.advance(time);
        slow.clock.advance(time);
    }

    private static TestPlane.Answer call(TestPlane plane, String job, String verb, String members) {
        return plane.post("/api/v1/jobs/" + job + "/" + verb)
                .body("{" + members + "}")
                .send();
    }

    private static TestPlane.Answer submit(TestPlane plane, String key) {
        return plane.post("/api/v1/jobs").key(key).body(JOB).send();
    }

    private static TestPlane.Answer pay(TestPlane plane, String key, Envelopes envelope) {
        return plane.post("/v1/payment-requests").key(key).body(envelope.json()).send();
    }
}
