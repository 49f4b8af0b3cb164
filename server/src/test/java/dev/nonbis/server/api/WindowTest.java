package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.metrics.DispatchMetrics;
import dev.nonbis.testkit.bus.FaultyBus;
import dev.nonbis.testkit.store.FaultyBackend;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which layer absorbs what is repeated when. The publish is repeated by the product itself: the server that made it could not write that
 * it did, and the one that takes over comes this much later.
 */
class WindowTest {

    private static final String BODY = "{\"topic\":\"job.default\"}";

    private final FaultyBackend.Script faults = new FaultyBackend.Script();
    private final TestPlane plane = new TestPlane(
            new DirectStore(new FaultyBackend(new MemoryBackend(), faults)), Policy.ALLOW_ALL, Settings.DEFAULTS);
    private final EmbeddedBus embedded = new EmbeddedBus(plane.ports.store(), plane.clock);
    private final FaultyBus bus = new FaultyBus(embedded);
    private final DispatchPorts ports = new DispatchPorts(
            plane.ports, bus, topic -> plane.topicRules, new DispatchMetrics(plane.metrics, plane.duplicates));

    private TestPlane.Answer submit() {
        return plane.post("/api/v1/jobs").key("K").body(BODY).send();
    }

    /** Submits, publishes, and loses the server before it can say so. A worker has the delivery and has not started. */
    private String published() {
        String job = submit().string("job_id");
        faults.then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.NONE)
                .then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.NONE)
                .then(FaultyBackend.Call.APPLY, FaultyBackend.Fault.REFUSED);
        assertThatThrownBy(() -> new Dispatch(ports).runOnce()).isInstanceOf(StoreUnavailable.class);
        assertThat(poll()).hasSize(1);
        return job;
    }

    private List<JsonObject> poll() {
        return plane
                .post("/api/v1/worker/poll")
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.default\"],\"max\":10}")
                .send()
                .json()
                .array("deliveries")
                .orElseThrow()
                .items()
                .stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private TestPlane.Answer tell(String job, String verb, String worker, String rest) {
        return plane.post("/api/v1/jobs/" + job + "/" + verb)
                .body("{\"worker_id\":\"" + worker + "\",\"fence\":1" + rest + "}")
                .send();
    }

    private void publishAgainAfter(int seconds) {
        plane.clock.advance(Duration.ofSeconds(seconds));
        assertThat(new Reconcile(ports).runOnce()).isEqualTo(1);
    }

    private double blockedBy(String layer) {
        String name = "nonbis_duplicates_blocked_total{layer=\"" + layer + "\"} ";
        return plane.metrics
                .scrape()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .sum();
    }

    private void expectBlocked(String only) {
        for (String layer : List.of("idempotency_key", "broker_window", "job_state", "worker_fence", "result_record")) {
            assertThat(blockedBy(layer)).as(layer).isEqualTo(layer.equals(only) ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 119})
    void a_publish_repeated_within_two_minutes_is_absorbed_by_the_broker_window(int seconds) {
        String job = published();

        publishAgainAfter(seconds);

        expectBlocked("broker_window");
        assertThat(bus.accepted()).hasSize(1);
        assertThat(plane.get("/api/v1/jobs/" + job).send().json().integer("executions"))
                .contains(1L);
    }

    @Test
    void one_repeated_after_121_seconds_is_taken_by_the_broker_and_absorbed_by_the_job_s_state() {
        String job = published();

        publishAgainAfter(121);
        assertThat(bus.accepted()).hasSize(2);
        assertThat(poll()).as("a second worker gets the same execution").hasSize(1);
        assertThat(tell(job, "start", "first", "").string("status")).isEqualTo("started");
        assertThat(tell(job, "start", "second", "").code()).isEqualTo("claimed_elsewhere");

        expectBlocked("job_state");
        assertThat(plane.get("/api/v1/jobs/" + job).send().json().integer("executions"))
                .contains(1L);
    }

    @Test
    void one_repeated_after_121_seconds_whose_worker_comes_when_the_work_has_moved_on_is_absorbed_by_the_fence() {
        String job = published();

        publishAgainAfter(121);
        tell(job, "start", "second", "");
        tell(job, "result", "second", ",\"status\":\"retryable\"");
        assertThat(tell(job, "start", "first", "").code()).isEqualTo("stale_fence");

        expectBlocked("worker_fence");
    }

    @Test
    void a_call_repeated_after_an_hour_is_absorbed_by_its_key() {
        var first = submit();
        plane.settle();
        String job = first.string("job_id");
        tell(job, "start", "w", "");
        tell(job, "result", "w", ",\"status\":\"succeeded\"");
        long events = plane.auditEvents(TestPlane.ACME);
        plane.clock.advance(Duration.ofHours(1));

        var again = submit();

        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.replayed()).isTrue();
        assertThat(again.header("Nonbis-Blocked-By")).isEqualTo("idempotency_key");
        expectBlocked("idempotency_key");
        plane.settle();
        assertThat(poll()).isEmpty();
        assertThat(plane.get("/api/v1/jobs").send().items()).hasSize(1);
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(events);
    }
}
