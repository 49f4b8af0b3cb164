package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.RunId;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.RealServer.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApprovalStormTest {

    private static final int JOBS = 1_000;
    private static final int JOBS_AT_ONCE = 10;
    private static final long SEED = 20_260_301;
    private static final String CANCEL = "cancel";

    @TempDir
    Path directory;

    private RealServer server;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), """
                jobs:
                  default: allow
                  rules:
                    - {id: big-refund, when: 'job.topic == "job.refund" && job.input.eur > 100', verdict: require_approval}
                    - {id: no-transfers, when: 'job.topic == "job.transfer"', verdict: deny, deny_code: no_transfers}
                """);
        server = new RealServer(directory);
        server.put("/api/v1/workflows/w", "{\"steps\":[{\"id\":\"a\",\"topic\":\"job.default\",\"approval\":true}]}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** One call of the storm. */
    private record Blow(String token, String call, String body) {}

    private record Landed(Blow blow, Answer answer) {

        String word() {
            var json = answer.json();
            return json.string("code").or(() -> json.string("status")).orElseThrow();
        }

        boolean is(String call, String word) {
            return blow.call().equals(call) && word().equals(word);
        }
    }

    private Answer startRun() {
        return server.post("/api/v1/workflows/w/runs", RealServer.ACME, "", "{}");
    }

    /** The job of the run's only step, which waits. */
    private static String job(Answer run) {
        return JobId.ofStep(new RunId(run.string("run_id")), "a").value();
    }

    private List<String> waitingJobs() {
        var starts = Collections.<Callable<Answer>>nCopies(JOBS_AT_ONCE, this::startRun);
        return RealServer.atOnce(starts).stream().map(ApprovalStormTest::job).toList();
    }

    private Answer submit(String topic) {
        return server.post(
                "/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"" + topic + "\",\"input\":{\"eur\":250}}");
    }

    private Answer strike(String job, Blow blow) {
        String path = blow.call().equals(CANCEL)
                ? "/api/v1/jobs/" + job + "/cancel"
                : "/api/v1/approvals/" + job + "/" + blow.call();
        return server.post(path, blow.token(), "", blow.body());
    }

    /** Twenty calls in an order of their own: retries of both decisions by two people, strangers, the starter, and for half of the jobs cancels. */
    private static List<Blow> storm(String hash, boolean withCancels, Random random) {
        String bound = "{\"request_hash\":\"" + hash + "\"}";
        var blows = new ArrayList<Blow>();
        for (String token : List.of(RealServer.BOB, RealServer.CAROL)) {
            for (String call : List.of("approve", "reject")) {
                blows.add(new Blow(token, call, "{}"));
                blows.add(new Blow(token, call, "{\"reason\":\"retry\"}"));
                blows.add(new Blow(token, call, bound));
            }
        }
        blows.add(new Blow(RealServer.GLOBEX, "approve", "{}"));
        blows.add(new Blow(RealServer.GLOBEX, "reject", "{}"));
        blows.add(new Blow(RealServer.GLOBEX, CANCEL, "{}"));
        blows.add(new Blow(RealServer.ACME, "approve", "{}"));
        blows.add(new Blow(RealServer.BOB, "approve", "{\"request_hash\":\"" + "0".repeat(64) + "\"}"));
        for (int i = 0; i < 3; i++) {
            blows.add(
                    withCancels ? new Blow(RealServer.ACME, CANCEL, "{}") : new Blow(RealServer.BOB, "approve", bound));
        }
        Collections.shuffle(blows, random);
        return blows;
    }

    @Test
    void in_a_storm_every_job_gets_one_decision_and_every_answer_agrees_with_it() {
        var random = new Random(SEED);
        var outcomes = new HashMap<String, String>();
        for (int wave = 0; wave < JOBS / JOBS_AT_ONCE; wave++) {
            outcomes.putAll(strikeAtOnce(random));
        }

        assertThat(outcomes).hasSize(JOBS);
        assertThat(outcomes).containsValues("approved", "rejected", "closed");
        long approved = count(outcomes, "approved");
        long rejected = count(outcomes, "rejected");
        assertThat(decisionsInAudit()).isEqualTo(decided(outcomes));
        assertThat(server.metrics()).contains(counter("approve", approved), counter("reject", rejected));
        int open = server.get("/api/v1/jobs?state=PENDING&limit=1000", RealServer.ACME)
                .json()
                .array("items")
                .orElseThrow()
                .items()
                .size();
        assertThat(server.get("/api/v1/tenants/acme/limits", RealServer.ACME)
                        .json()
                        .integer("active_runs"))
                .contains((long) open);
    }

    private Map<String, String> strikeAtOnce(Random random) {
        var calls = new ArrayList<Callable<Answer>>();
        var struck = new ArrayList<Blow>();
        var jobs = waitingJobs();
        // They are all the same step of the same workflow without input.
        String hash =
                server.get("/api/v1/jobs/" + jobs.getFirst(), RealServer.ACME).string("request_hash");
        for (int i = 0; i < jobs.size(); i++) {
            String job = jobs.get(i);
            for (var blow : storm(hash, i % 2 == 0, random)) {
                calls.add(() -> strike(job, blow));
                struck.add(blow);
            }
        }
        var answers = RealServer.atOnce(calls);
        var outcomes = new HashMap<String, String>();
        int perJob = answers.size() / jobs.size();
        assertThat(perJob).isEqualTo(20);
        for (int i = 0; i < jobs.size(); i++) {
            var landed = new ArrayList<Landed>();
            for (int n = i * perJob; n < (i + 1) * perJob; n++) {
                landed.add(new Landed(struck.get(n), answers.get(n)));
            }
            outcomes.put(jobs.get(i), check(jobs.get(i), landed));
        }
        return outcomes;
    }

    /** Holds all answers about one job against what is stored; says how it ended. */
    private String check(String job, List<Landed> landed) {
        var approval = server.get("/api/v1/approvals/" + job, RealServer.ACME).json();
        var decision = approval.object("decision");
        String outcome = decision.map(made -> made.string("kind").orElseThrow()).orElse("closed");
        var stored = server.get("/api/v1/jobs/" + job, RealServer.ACME).json();

        for (var one : landed) {
            assertThat(one.word())
                    .as("%s of %s, which ended %s", one, job, outcome)
                    .isIn(allowed(one.blow(), outcome));
        }
        assertThat(landed.stream().filter(one -> one.word().equals("approved")))
                .hasSize(outcome.equals("approved") ? 1 : 0);
        assertThat(landed.stream().filter(one -> one.word().equals("rejected")))
                .hasSize(outcome.equals("rejected") ? 1 : 0);
        decision.ifPresent(made -> assertThat(landed)
                .filteredOn(one ->
                        one.answer().status() == 200 && !one.blow().call().equals(CANCEL))
                .isNotEmpty()
                .allMatch(one -> one.answer()
                                .string(outcome + "_by")
                                .equals(made.string("by").orElseThrow())
                        && one.answer()
                                .string(outcome + "_at")
                                .equals(made.string("at").orElseThrow())
                        && one.answer().replayed() == one.word().startsWith("already_")));
        boolean cancelled = landed.stream().anyMatch(one -> one.is(CANCEL, "cancelled"));
        checkState(stored, outcome, cancelled);
        return outcome;
    }

    private static List<String> allowed(Blow blow, String outcome) {
        if (blow.token().equals(RealServer.GLOBEX)) {
            return List.of("job_not_found");
        }
        if (blow.body().contains("0".repeat(64))) {
            return List.of("approval_stale_request");
        }
        if (blow.call().equals(CANCEL)) {
            return outcome.equals("rejected")
                    ? List.of("job_already_terminal")
                    : List.of("cancelled", "already_cancelled");
        }
        if (outcome.equals("closed")) {
            return blow.token().equals(RealServer.ACME)
                    ? List.of("not_awaiting_approval", "self_approval_denied")
                    : List.of("not_awaiting_approval");
        }
        boolean same = outcome.equals("approved") == blow.call().equals("approve");
        if (blow.token().equals(RealServer.ACME)) {
            return List.of(same ? "already_" + outcome : "approval_already_" + outcome, "self_approval_denied");
        }
        return same ? List.of(outcome, "already_" + outcome) : List.of("approval_already_" + outcome);
    }

    // Only what was approved carries the label, and only what was not denied may ever be dispatched.
    private static void checkState(JsonObject job, String outcome, boolean cancelled) {
        boolean granted =
                job.object("labels").orElseThrow().string("approval_granted").isPresent();
        String state = job.string("state").orElseThrow();
        switch (outcome) {
            case "approved" -> {
                assertThat(granted).isTrue();
                assertThat(state).isEqualTo(cancelled ? "CANCELLED" : "PENDING");
            }
            case "rejected" -> {
                assertThat(granted).isFalse();
                assertThat(state).isEqualTo("DENIED");
            }
            default -> {
                assertThat(granted).isFalse();
                assertThat(state).isEqualTo("CANCELLED");
            }
        }
    }

    /** Every decision in the audit log by job; fails on a second one for the same job. */
    private Map<String, String> decisionsInAudit() {
        var found = new HashMap<String, String>();
        long after = 0;
        while (true) {
            var page = server.get("/api/v1/audit?limit=1000&after=" + after, RealServer.ACME)
                    .json();
            for (var item : page.array("items").orElseThrow().items()) {
                var event = (JsonObject) item;
                String type = event.string("type").orElseThrow();
                if (type.startsWith("approval.")) {
                    String before =
                            found.put(event.string("subject").orElseThrow(), type.substring("approval.".length()));
                    assertThat(before)
                            .as("an earlier decision, before %s", event)
                            .isNull();
                }
            }
            var next = page.integer("next");
            if (next.isEmpty()) {
                return found;
            }
            after = next.get();
        }
    }

    private static Map<String, String> decided(Map<String, String> outcomes) {
        var decided = new HashMap<>(outcomes);
        decided.values().removeIf("closed"::equals);
        return decided;
    }

    private static long count(Map<String, String> outcomes, String outcome) {
        return outcomes.values().stream().filter(outcome::equals).count();
    }

    private static String counter(String endpoint, long value) {
        return "nonbis_approval_requests_total{endpoint=\"" + endpoint + "\",outcome=\"decided\"} " + value + ".0";
    }

    @ParameterizedTest
    @CsvSource({"approve, approved, reject", "reject, rejected, approve"})
    void five_retries_at_once_all_get_the_first_actor_and_time(String call, String word, String opposite) {
        var submitted = submit("job.refund");
        assertThat(submitted.string("state")).isEqualTo("APPROVAL");
        String job = submitted.string("job_id");
        var first = strike(job, new Blow(RealServer.BOB, call, "{\"reason\":\"looked at it\"}"));
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.string("status")).isEqualTo(word);
        var retries = new ArrayList<Callable<Answer>>();
        for (String token :
                List.of(RealServer.BOB, RealServer.BOB, RealServer.CAROL, RealServer.CAROL, RealServer.ACME)) {
            retries.add(() -> strike(job, new Blow(token, call, "{}")));
        }

        var answers = RealServer.atOnce(retries);

        assertThat(answers).hasSize(5).allMatch(answer -> answer.status() == 200 && answer.replayed());
        assertThat(answers)
                .allMatch(
                        answer -> answer.body().equals(first.body().replace("\"status\":\"", "\"status\":\"already_")));
        assertThat(first.string(word + "_by")).isEqualTo("bob");
        assertThat(strike(job, new Blow(RealServer.CAROL, opposite, "{}")).string("code"))
                .isEqualTo("approval_already_" + word);
        var labels = server.get("/api/v1/jobs/" + job, RealServer.ACME)
                .json()
                .object("labels")
                .orElseThrow();
        assertThat(labels.string("nonbis.bus_msg_id"))
                .isEqualTo(call.equals("approve") ? Optional.of("approval:" + job) : Optional.empty());
        assertThat(decisionsInAudit()).isEqualTo(Map.of(job, word));
    }

    @ParameterizedTest
    @CsvSource({"approve", "reject"})
    void what_policy_denied_is_not_a_rejection_that_could_be_repeated(String call) {
        var denied = submit("job.transfer");
        assertThat(denied.string("code")).isEqualTo("policy_denied");

        var answer = strike(denied.string("job_id"), new Blow(RealServer.BOB, call, "{}"));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.string("code")).isEqualTo("not_awaiting_approval");
    }

    @Test
    void a_decision_is_still_the_answer_after_a_restart() {
        String job = job(startRun());
        var first = strike(job, new Blow(RealServer.BOB, "approve", "{}"));
        server.close();
        server = new RealServer(directory);

        var again = strike(job, new Blow(RealServer.CAROL, "approve", "{}"));

        assertThat(again.body()).isEqualTo(first.body().replace("\"status\":\"", "\"status\":\"already_"));
        assertThat(again.replayed()).isTrue();
    }
}
