package dev.nonbis.server.api;

import dev.nonbis.server.Envelopes;
import java.time.Duration;
import java.util.List;

/** One of everything that a tenant can have, made by acme: what others must not find, and acme must. */
final class ThingsOfAcme {

    static final String SECRET = "the-secret-of-acme";

    /** Names that nobody has. */
    static final List<String> UNKNOWN = List.of("job_x", "run_x", "pay_x", "job_y");

    private final List<String> ids;

    ThingsOfAcme(TestPlane plane) {
        plane.put("/api/v1/workflows/flow")
                .body("{\"steps\":[{\"id\":\"a\",\"topic\":\"job.a\"}]}")
                .send();
        plane.put("/api/v1/webhooks/hook")
                .body("{\"url\":\"https://192.0.2.1/" + SECRET + "\"}")
                .send();
        String dead = deadLetter(plane);
        var job = plane.post("/api/v1/jobs")
                .key("acmes-key")
                .body("{\"topic\":\"job.default\",\"prompt\":\"" + SECRET + "\"}")
                .send();
        var run =
                plane.post("/api/v1/workflows/flow/runs").body("{\"input\":{}}").send();
        // A payment that waits for a human, so that there is an approval too.
        var payment = plane.post("/v1/payment-requests")
                .key("acmes-payment")
                .body(Envelopes.valid(plane.clock.instant().plus(Duration.ofMinutes(5)))
                        .with("intent", "\"pay_compute_job\"")
                        .amount("0.60")
                        .json())
                .send();
        this.ids = List.of(job.string("job_id"), run.string("run_id"), payment.string("payment_id"), dead);
    }

    private static String deadLetter(TestPlane plane) {
        String job = plane.post("/api/v1/jobs")
                .body("{\"topic\":\"job.fragile\",\"max_attempts\":1,\"prompt\":\"" + SECRET + "\"}")
                .send()
                .string("job_id");
        plane.settle();
        plane.post("/api/v1/worker/poll")
                .body("{\"worker_id\":\"w\",\"topics\":[\"job.fragile\"]}")
                .send();
        plane.post("/api/v1/jobs/" + job + "/start")
                .body("{\"worker_id\":\"w\",\"fence\":1}")
                .send();
        plane.post("/api/v1/jobs/" + job + "/result")
                .body("{\"worker_id\":\"w\",\"fence\":1,\"status\":\"retryable\"}")
                .send();
        return job;
    }

    /** A job, a run, a payment that waits for a human, and a job that is a dead letter. */
    List<String> ids() {
        return ids;
    }

    /** The path that names these things, or those of acme's whose names are not drawn. */
    static String path(String pattern, List<String> ids) {
        return pattern.replaceAll("(/payment-requests|/payments|/approvals)/\\{id}", "$1/" + ids.get(2))
                .replace("/runs/{id}", "/runs/" + ids.get(1))
                .replaceAll("(/dlq|/dead-letters)/\\{(id|job_id)}", "$1/" + ids.get(3))
                .replace("/workflows/{id}", "/workflows/flow")
                .replace("/webhooks/{id}", "/webhooks/hook")
                .replace("{tenant}", "acme")
                .replace("{operation}", "jobs")
                .replace("{key}", "acmes-key")
                .replace("{agent}", "research-agent-01")
                .replace("{seq}", "1")
                .replaceAll("\\{(id|job_id)}", ids.getFirst());
    }
}
