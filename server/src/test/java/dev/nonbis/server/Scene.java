package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;

/** A server with something of everything, for pages to show. */
final class Scene implements AutoCloseable {

    private static final String POLICY = """
            jobs:
              default: allow
              rules:
                - {id: big-refund, when: 'job.topic == "job.refund" && job.input.eur > 100', verdict: require_approval}
            payments:
              default: deny
              rules:
                - {id: small-api-call, when: 'amount_usd <= 5.0', verdict: allow}
                - {id: ask-above, when: 'amount_usd <= 50.0', verdict: require_approval}
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets:
              - {agent: research-agent-01, scope: request, cap_usd: "25.00"}
              - {agent: research-agent-01, scope: day, cap_usd: "25.00"}
              - {agent: research-agent-01, scope: month, cap_usd: "40.00"}
            """;

    private static final String TOPICS = """
            topics:
              job.transfer: {running_timeout: 1s, lost_worker: hold}
            """;

    final RealServer server;

    Scene(Path directory) throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), POLICY);
        Files.writeString(directory.resolve("topics.yaml"), TOPICS);
        server = new RealServer(directory);
    }

    /** A refund that a human has to let through; its id. */
    String refund(String key, int eur) {
        return submit(
                key,
                "{\"topic\":\"job.refund\",\"prompt\":\"Refund order 1841\",\"input\":{\"order\":\"A-1841\",\"eur\":"
                        + eur + ",\"customer\":{\"id\":77,\"tier\":\"gold\"}},\"labels\":{\"team\":\"care\"}}");
    }

    String submit(String key, String body) {
        return server.post("/api/v1/jobs", RealServer.ACME, key, body).string("job_id");
    }

    /** The job's work is taken and begun; the fence. */
    long begin(String job, String topic) {
        var delivery = Awaitility.await()
                .until(
                        () -> server.post(
                                        "/api/v1/worker/poll",
                                        RealServer.ACME,
                                        "",
                                        "{\"worker_id\":\"worker-1\",\"topics\":[\"" + topic
                                                + "\"],\"max\":1,\"wait_ms\":2000}")
                                .json()
                                .array("deliveries")
                                .orElseThrow()
                                .items(),
                        items -> !items.isEmpty())
                .getFirst();
        long fence = ((JsonObject) delivery).integer("fence").orElseThrow();
        var answer = server.post(
                "/api/v1/jobs/" + job + "/start",
                RealServer.ACME,
                "",
                "{\"worker_id\":\"worker-1\",\"fence\":" + fence + "}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return fence;
    }

    void result(String job, long fence, String status) {
        var answer = server.post(
                "/api/v1/jobs/" + job + "/result",
                RealServer.ACME,
                "",
                "{\"worker_id\":\"worker-1\",\"fence\":" + fence + ",\"status\":\"" + status
                        + "\",\"output\":{\"refund_id\":\"re_77\"}}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    void awaitState(String job, String state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> server.get("/api/v1/jobs/" + job, RealServer.ACME)
                        .string("state")
                        .equals(state));
    }

    /** What the pages of the pictures show. */
    record Cast(String waiting, String done, String unknown, String run, String payment, String asked) {}

    Cast play() {
        String done = submit("order-1839", "{\"topic\":\"job.refund\",\"input\":{\"order\":\"A-1839\",\"eur\":40}}");
        long fence = begin(done, "job.refund");
        for (int i = 0; i < 3; i++) {
            submit("order-1839", "{\"topic\":\"job.refund\",\"input\":{\"order\":\"A-1839\",\"eur\":40}}");
        }
        result(done, fence, "succeeded");
        result(done, fence, "succeeded");
        server.post(
                "/api/v1/jobs",
                RealServer.ACME,
                "order-1839",
                "{\"topic\":\"job.refund\",\"input\":{\"order\":\"A-1839\",\"eur\":4000}}");

        String letter = submit("mail-7", "{\"topic\":\"job.mail\",\"max_attempts\":1}");
        result(letter, begin(letter, "job.mail"), "retryable");
        String unknown = submit("transfer-9", "{\"topic\":\"job.transfer\",\"input\":{\"iban\":\"hidden\"}}");
        begin(unknown, "job.transfer");
        submit("report-1", "{\"topic\":\"job.report\"}");

        server.put("/api/v1/workflows/onboard", """
                {"steps":[{"id":"check","topic":"job.check"},
                          {"id":"approve","topic":"job.open","needs":["check"],"approval":true},
                          {"id":"welcome","topic":"job.mail","needs":["approve"]}]}""");
        String run = server.post(
                        "/api/v1/workflows/onboard/runs",
                        RealServer.ACME,
                        "customer-77",
                        "{\"input\":{\"customer\":77}}")
                .string("run_id");
        String check = server
                .get("/api/v1/jobs?topic=job.check", RealServer.ACME)
                .json()
                .array("items")
                .orElseThrow()
                .items()
                .stream()
                .map(JsonObject.class::cast)
                .findFirst()
                .flatMap(job -> job.string("job_id"))
                .orElseThrow();
        result(check, begin(check, "job.check"), "succeeded");

        String payment = "";
        for (var amount : List.of("4.31", "4.42", "3.09", "90.00")) {
            payment = pay(amount, "pay-" + amount);
        }
        String asked = pay("12.50", "pay-12.50");
        String decided = refund("order-1840", 180);
        server.post("/api/v1/approvals/" + decided + "/approve", RealServer.BOB, "", "{\"reason\":\"Known customer\"}");
        server.post("/api/v1/approvals/" + decided + "/approve", RealServer.CAROL, "", "");
        refund("order-1841", 350);
        String waiting = refund("order-1842", 990);
        awaitState(unknown, "UNKNOWN");
        server.post("/api/v1/audit/checkpoints", RealServer.ACME, "", "");
        return new Cast(waiting, done, unknown, run, payment, asked);
    }

    private String pay(String amount, String key) {
        var body = Envelopes.valid(Instant.now().plus(Duration.ofMinutes(10)))
                .amount(amount)
                .json();
        server.post("/v1/payment-requests", RealServer.ACME, key, body);
        return server.post("/v1/payment-requests", RealServer.ACME, key, body).string("payment_id");
    }

    @Override
    public void close() {
        server.close();
    }
}
