package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.operation.MeasureBacklog;
import dev.nonbis.core.operation.MeasureBacklog.Backlog;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the gauges about waiting things say. */
class BacklogTest {

    private final ApprovalPlane approvals = new ApprovalPlane();
    private final TestPlane plane = approvals.plane;

    private Backlog measure() {
        return new MeasureBacklog(plane.ports.store()).measure(plane.clock.instant());
    }

    @Test
    void nothing_waits_on_an_empty_server() {
        assertThat(measure()).isEqualTo(new Backlog(Duration.ZERO, Duration.ZERO, 0));
    }

    @Test
    void the_oldest_approval_counts_until_it_is_decided() {
        String first = approvals.submit(ApprovalPlane.ASK);
        plane.clock.advance(Duration.ofHours(2));
        approvals.submit(ApprovalPlane.ASK);
        plane.clock.advance(Duration.ofHours(1));

        assertThat(measure().oldestApproval()).isBetween(Duration.ofHours(3), Duration.ofMinutes(181));
        plane.post("/api/v1/approvals/" + first + "/approve").as(TestPlane.BOB).send();
        assertThat(measure().oldestApproval()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void what_is_due_counts_until_somebody_acts_on_it() {
        begin("{\"topic\":\"job.default\"}");
        plane.clock.advance(Duration.ofMinutes(15).minusSeconds(1));
        assertThat(measure().overdue()).isZero();

        plane.clock.advance(Duration.ofSeconds(91));
        assertThat(measure().overdue()).isEqualTo(Duration.ofSeconds(90));
        plane.settle();
        assertThat(measure().overdue()).isZero();
    }

    @Test
    void a_dead_letter_counts_until_it_is_retried() {
        var begun = begin("{\"topic\":\"job.default\",\"max_attempts\":1}");
        plane.post("/api/v1/jobs/" + begun.job() + "/result")
                .body(begun.claim() + ",\"status\":\"retryable\"}")
                .send();

        assertThat(measure().deadLetters()).isEqualTo(1);
        plane.post("/api/v1/dlq/" + begun.job() + "/retry").send();
        assertThat(measure().deadLetters()).isZero();
    }

    /** A job that a worker has, and the beginning of what the worker says of it. */
    private record Begun(String job, String claim) {}

    private Begun begin(String body) {
        String job = plane.post("/api/v1/jobs").body(body).send().string("job_id");
        plane.settle();
        var delivery = (JsonObject) plane.post("/api/v1/worker/poll")
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.default\"]}")
                .send()
                .json()
                .array("deliveries")
                .orElseThrow()
                .items()
                .getFirst();
        long fence = delivery.integer("fence").orElseThrow();
        String claim = "{\"worker_id\":\"w\",\"fence\":" + fence;
        plane.post("/api/v1/jobs/" + job + "/start").body(claim + "}").send();
        return new Begun(job, claim);
    }
}
