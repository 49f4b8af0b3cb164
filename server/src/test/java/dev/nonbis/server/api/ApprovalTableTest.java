package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.JobId;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every situation × call × content seen × caller, through the handlers. */
class ApprovalTableTest {

    private static final String BOTH_WAIT =
            "[{\"id\":\"a\",\"topic\":\"job.x\",\"approval\":true},{\"id\":\"b\",\"topic\":\"job.x\",\"approval\":true}]";

    private static final Set<String> ROLES_THAT_DECIDE = Set.of("approver", "admin");

    /** Brings a job somewhere and says what a stranger with the role then gets for approve and for reject. */
    private record Situation(String name, Function<ApprovalPlane, String> setUp, String approve, String reject) {

        String answer(String call) {
            return call.equals("approve") ? approve : reject;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Situation> situations() {
        var all = new ArrayList<Situation>();
        all.add(new Situation("waiting", p -> p.submit(ApprovalPlane.ASK), "approved", "rejected"));
        all.add(new Situation("a step that waits", p -> step(p.start(BOTH_WAIT), "a"), "approved", "rejected"));
        for (var state : JobWalk.laterStates()) {
            all.add(new Situation(
                    "approved, now " + state,
                    p -> {
                        String job = p.submit(ApprovalPlane.ASK);
                        p.approve(job, TestPlane.BOB);
                        JobWalk.move(p.plane, job, state);
                        return job;
                    },
                    "already_approved",
                    "approval_already_approved"));
            all.add(new Situation(
                    "never needed approval, now " + state,
                    p -> {
                        String job = p.submit(ApprovalPlane.ALLOW);
                        JobWalk.move(p.plane, job, state);
                        return job;
                    },
                    "not_awaiting_approval",
                    "not_awaiting_approval"));
        }
        all.add(new Situation(
                "approved and its time long over",
                p -> {
                    String job = p.submit(ApprovalPlane.ASK);
                    p.approve(job, TestPlane.BOB);
                    p.waitTooLong();
                    p.runExpiry();
                    return job;
                },
                "already_approved",
                "approval_already_approved"));
        all.add(new Situation(
                "rejected",
                p -> {
                    String job = p.submit(ApprovalPlane.ASK);
                    p.reject(job, TestPlane.BOB);
                    return job;
                },
                "approval_already_rejected",
                "already_rejected"));
        all.add(new Situation(
                "a rejected step",
                p -> {
                    String job = step(p.start(BOTH_WAIT), "a");
                    p.reject(job, TestPlane.BOB);
                    return job;
                },
                "approval_already_rejected",
                "already_rejected"));
        for (var closed : closedWithoutDecision().entrySet()) {
            all.add(new Situation(
                    closed.getKey(), closed.getValue(), "not_awaiting_approval", "not_awaiting_approval"));
        }
        all.add(new Situation(
                "expired, before the loop has been by",
                p -> {
                    String job = p.submit(ApprovalPlane.ASK);
                    p.waitTooLong();
                    return job;
                },
                "approval_expired",
                "approval_expired"));
        all.add(new Situation(
                "expired by the loop",
                p -> {
                    String job = p.submit(ApprovalPlane.ASK);
                    p.waitTooLong();
                    p.runExpiry();
                    return job;
                },
                "approval_expired",
                "approval_expired"));
        all.add(new Situation("unknown", p -> "job_" + "0".repeat(26), "job_not_found", "job_not_found"));
        all.add(new Situation("no id at all", p -> "nonsense", "job_not_found", "job_not_found"));
        return all.stream();
    }

    private static Map<String, Function<ApprovalPlane, String>> closedWithoutDecision() {
        var all = new LinkedHashMap<String, Function<ApprovalPlane, String>>();
        all.put("denied by policy", p -> p.submit(ApprovalPlane.DENY));
        all.put("cancelled while waiting", p -> {
            String job = p.submit(ApprovalPlane.ASK);
            p.cancel(job);
            return job;
        });
        all.put("a step whose run was cancelled", p -> {
            String run = p.start(BOTH_WAIT);
            p.plane.post("/api/v1/runs/" + run + "/cancel").send();
            return step(run, "a");
        });
        all.put("a step beside a rejected one", p -> {
            String run = p.start(BOTH_WAIT);
            p.reject(step(run, "b"), TestPlane.BOB);
            return step(run, "a");
        });
        return all;
    }

    private static String step(String run, String step) {
        return JobId.ofStep(new RunId(run), step).value();
    }

    private static List<String> callers() {
        var all = new ArrayList<>(List.of(
                TestPlane.BOB,
                TestPlane.CAROL,
                TestPlane.DAVE,
                TestPlane.ACME,
                TestPlane.GLOBEX,
                "globex-approver",
                ""));
        for (var role : Role.values()) {
            all.add("acme-" + role.word());
        }
        return all;
    }

    private static boolean mayDecide(String caller) {
        return !caller.startsWith("acme-") || ROLES_THAT_DECIDE.contains(caller.substring("acme-".length()));
    }

    private static String expected(Situation situation, String call, String hash, String caller) {
        if (caller.isEmpty()) {
            return "unauthenticated";
        }
        if (!mayDecide(caller)) {
            return "forbidden";
        }
        String answer = situation.answer(call);
        if (caller.contains("globex") || answer.equals("job_not_found")) {
            return "job_not_found";
        }
        if (hash.equals("wrong")) {
            return "approval_stale_request";
        }
        boolean decides = answer.equals("approved") || answer.equals("rejected");
        return decides && caller.equals(TestPlane.DAVE) ? "self_approval_denied" : answer;
    }

    private static String body(ApprovalPlane plane, String job, String hash) {
        return switch (hash) {
            case "absent" -> "{}";
            case "wrong" -> "{\"request_hash\":\"" + "0".repeat(64) + "\"}";
            default -> {
                var known = plane.job(job).json().string("request_hash");
                yield "{\"request_hash\":\"" + known.orElse("0".repeat(64)) + "\"}";
            }
        };
    }

    @ParameterizedTest
    @MethodSource("situations")
    void every_caller_gets_the_answer_of_the_table_and_only_a_decision_changes_anything(Situation situation) {
        var plane = new ApprovalPlane();
        for (String call : List.of("approve", "reject")) {
            for (String hash : List.of("absent", "right", "wrong")) {
                for (String caller : callers()) {
                    check(plane, situation, new Combination(call, hash, caller));
                }
            }
        }
    }

    private record Combination(String call, String hash, String caller) {}

    private static void check(ApprovalPlane plane, Situation situation, Combination with) {
        String job = situation.setUp().apply(plane);
        String before = plane.job(job).text();
        long events = plane.auditEvents();
        var sending = plane.decide(job, with.call()).body(body(plane, job, with.hash()));
        var answer = with.caller().isEmpty()
                ? sending.anonymously().send()
                : sending.as(with.caller()).send();

        String expected = expected(situation, with.call(), with.hash(), with.caller());
        var json = answer.json();
        assertThat(json.string("status").or(() -> json.string("code")))
                .as("%s", with)
                .contains(expected);
        assertThat(answer.replayed()).as("%s", with).isEqualTo(expected.startsWith("already_"));
        if (expected.equals("approved") || expected.equals("rejected")) {
            String state = expected.equals("approved") ? "PENDING" : "DENIED";
            assertThat(plane.job(job).string("state")).isEqualTo(state);
            assertThat(plane.auditEvents()).isGreaterThan(events);
        } else {
            assertThat(withoutRequest(plane.job(job).text())).as("%s", with).isEqualTo(withoutRequest(before));
            assertThat(plane.auditEvents()).as("%s", with).isEqualTo(events);
        }
        if (expected.startsWith("already_")) {
            assertThat(json.string(with.call().equals("approve") ? "approved_by" : "rejected_by"))
                    .contains("bob");
        }
    }

    // The id of the request is in a problem's text, and nothing else there may differ.
    private static String withoutRequest(String text) {
        return text.replaceAll("req_[0-9a-z]+", "req_");
    }

    @Test
    void the_walk_reaches_every_state_behind_an_approval() {
        assertThat(JobWalk.laterStates())
                .extracting(Enum::name)
                .containsExactlyInAnyOrder(
                        "PENDING",
                        "SCHEDULED",
                        "DISPATCHED",
                        "RUNNING",
                        "UNKNOWN",
                        "SUCCEEDED",
                        "FAILED",
                        "TIMEOUT",
                        "CANCELLED");
    }
}
