package dev.nonbis.server.api;

import dev.nonbis.core.operation.Settings;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.store.DirectStore;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.util.Optional;

/** A plane whose policy goes by the topic, with the calls that tests of approvals make. Dave submits, Bob and Carol decide. */
final class ApprovalPlane {

    static final String ASK = "job.ask";
    static final String DENY = "job.deny";
    static final String ALLOW = "job.allow";
    static final Duration EXPIRE_AFTER = Duration.ofDays(7);

    private static final Policy BY_TOPIC = (tenant, job) -> new Ruling(
            switch (job.string("topic").orElse("")) {
                case ASK -> new Verdict.RequireApproval(Optional.of("ask-a-human"));
                case DENY -> new Verdict.Deny(Optional.of("never"), "too_dangerous");
                default -> new Verdict.Allow(Optional.empty());
            },
            Optional.empty());

    final TestPlane plane;

    ApprovalPlane() {
        this(false);
    }

    ApprovalPlane(boolean selfApproval) {
        var defaults = Settings.DEFAULTS;
        plane = new TestPlane(
                new DirectStore(new MemoryBackend()),
                BY_TOPIC,
                new Settings(defaults.retention(), defaults.maxConcurrentRuns(), EXPIRE_AFTER, selfApproval));
    }

    /** Dave submits a job; its id. */
    String submit(String topic) {
        plane.clock.advance(Duration.ofMillis(5));
        var answer = plane.post("/api/v1/jobs")
                .as(TestPlane.DAVE)
                .body("{\"topic\":\"" + topic + "\",\"input\":{\"eur\":250}}")
                .send();
        return answer.string("job_id");
    }

    /** Dave starts a run of these steps; its id. */
    String start(String steps) {
        plane.clock.advance(Duration.ofMillis(5));
        plane.put("/api/v1/workflows/w").body("{\"steps\":" + steps + "}").send();
        return plane.post("/api/v1/workflows/w/runs")
                .as(TestPlane.DAVE)
                .body("{}")
                .send()
                .string("run_id");
    }

    TestPlane.Answer approve(String job, String token) {
        return decide(job, "approve").as(token).send();
    }

    TestPlane.Answer reject(String job, String token) {
        return decide(job, "reject").as(token).send();
    }

    TestPlane.Sending decide(String job, String call) {
        return plane.post("/api/v1/approvals/" + job + "/" + call);
    }

    TestPlane.Answer cancel(String job) {
        return plane.post("/api/v1/jobs/" + job + "/cancel").send();
    }

    TestPlane.Answer job(String id) {
        return plane.get("/api/v1/jobs/" + id).send();
    }

    TestPlane.Answer run(String id) {
        return plane.get("/api/v1/runs/" + id).send();
    }

    TestPlane.Answer approval(String id) {
        return plane.get("/api/v1/approvals/" + id).send();
    }

    /** Lets the time to decide pass. */
    void waitTooLong() {
        plane.clock.advance(EXPIRE_AFTER);
    }

    void runExpiry() {
        while (plane.expire.runOnce() > 0) {}
    }

    long auditEvents() {
        return plane.auditEvents(TestPlane.ACME);
    }

    long activeRuns() {
        return plane.get("/api/v1/tenants/acme/limits")
                .send()
                .json()
                .integer("active_runs")
                .orElseThrow();
    }
}
