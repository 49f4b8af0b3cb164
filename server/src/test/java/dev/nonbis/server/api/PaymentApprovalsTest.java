package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.Envelopes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaymentApprovalsTest {

    private final PaymentPlane payments = new PaymentPlane();
    private final TestPlane plane = payments.plane;

    private Envelopes large() {
        return payments.envelope().with("intent", "\"pay_compute_job\"").amount("0.75");
    }

    private String ask(String key) {
        var answer = payments.submit(key, large());
        assertThat(answer.string("status")).isEqualTo("requires_human");
        return answer.string("payment_id");
    }

    private TestPlane.Answer decide(String id, String word) {
        return plane.post("/api/v1/approvals/" + id + "/" + word)
                .as("acme-approver")
                .send();
    }

    private TestPlane.Answer payment(String id) {
        return plane.get("/v1/payment-requests/" + id).send();
    }

    private String spentToday() {
        return plane.get("/api/v1/budgets/research-agent-01").send().items().stream()
                .filter(line -> line.string("scope").orElseThrow().equals("day"))
                .findFirst()
                .flatMap(line -> line.string("spent_usd"))
                .orElseThrow();
    }

    @Test
    void a_payment_that_needs_a_human_waits_in_the_list_beside_jobs_and_spends_nothing() {
        String id = ask("k");

        var waiting = plane.get("/api/v1/approvals").send().items();
        assertThat(waiting).hasSize(1);
        assertThat(waiting.getFirst().string("job_id")).contains(id);
        assertThat(waiting.getFirst().string("kind")).contains("payment");
        assertThat(plane.get("/api/v1/approvals/" + id).send().json().object("payment"))
                .isPresent();
        assertThat(spentToday()).isEqualTo("0");
    }

    @Test
    void approving_decides_the_payment_once_with_its_own_receipt() {
        var envelope = large();
        var first = payments.submit("k", envelope);
        String id = first.string("payment_id");

        var approved = decide(id, "approve");
        plane.clock.advance(Duration.ofMinutes(1));
        var again = decide(id, "approve");

        assertThat(approved.string("status")).isEqualTo("approved");
        assertThat(approved.string("payment_status")).isEqualTo("approved");
        assertThat(again.string("status")).isEqualTo("already_approved");
        assertThat(again.string("approved_at")).isEqualTo(approved.string("approved_at"));
        assertThat(decide(id, "reject").code()).isEqualTo("approval_already_approved");
        var payment = payment(id);
        assertThat(payment.string("status")).isEqualTo("approved");
        assertThat(payment.string("decision")).isEqualTo("allow");
        assertThat(payment.string("decided_by")).isEqualTo("only-approver");
        assertThat(payment.json().array("receipts").orElseThrow().items())
                .hasSize(2)
                .allMatch(receipt -> plane.signer.publicKeys().check((JsonObject) receipt) == PublicKeys.Finding.GOOD);
        var receipt = payment.json().object("receipt").orElseThrow();
        assertThat(receipt.string("audit_event_id"))
                .isEqualTo(plane.get("/api/v1/audit").send().items().getLast().string("id"));
        assertThat(spentToday()).isEqualTo("0.75");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(2);
        assertThat(payments.submit("k", envelope).text()).isEqualTo(first.text());
    }

    @Test
    void rejecting_decides_the_payment_and_spends_nothing() {
        String id = ask("k");

        assertThat(decide(id, "reject").string("payment_status")).isEqualTo("rejected");
        assertThat(payment(id).string("deny_code")).isEqualTo("approval.rejected");
        assertThat(decide(id, "reject").string("status")).isEqualTo("already_rejected");
        assertThat(decide(id, "approve").code()).isEqualTo("approval_already_rejected");
        assertThat(spentToday()).isEqualTo("0");
    }

    @Test
    void silence_never_pays() {
        String id = ask("k");
        plane.clock.advance(Duration.ofDays(7));
        new ExpireApprovals(plane.ports).runOnce();

        assertThat(payment(id).string("status")).isEqualTo("rejected");
        assertThat(payment(id).string("deny_code")).isEqualTo("approval.expired");
        assertThat(payment(id).string("decided_by")).isEqualTo("system:expiry");
        assertThat(decide(id, "approve").code()).isEqualTo("approval_expired");
    }

    @Test
    void an_approval_cannot_spend_what_is_no_longer_there() {
        String first = ask("a");
        String second = ask("b");

        decide(first, "approve");
        var answer = decide(second, "approve");

        assertThat(answer.string("status")).isEqualTo("approved");
        assertThat(answer.string("payment_status")).isEqualTo("rejected");
        assertThat(answer.string("deny_code")).isEqualTo("budget.exceeded");
        assertThat(payment(second).string("deny_code")).isEqualTo("budget.exceeded");
        assertThat(spentToday()).isEqualTo("0.75");
    }

    @Test
    void a_stop_counts_for_what_was_asked_before_it() {
        String id = ask("a");
        payments.policy.now = PaymentPlane.policy(PaymentPlane.POLICY.replace("freeze_all: false", "freeze_all: true"));

        assertThat(decide(id, "approve").string("deny_code")).isEqualTo("emergency.freeze_all");
        assertThat(payment(id).string("status")).isEqualTo("rejected");
    }

    @Test
    void who_submitted_a_payment_does_not_decide_about_it() {
        String id = ask("a");

        assertThat(plane.post("/api/v1/approvals/" + id + "/approve").send().code())
                .isEqualTo("self_approval_denied");
    }

    @Test
    void payments_are_listed_newest_first_by_status_and_agent_and_page_by_page() {
        var small = payments.submit("a", payments.envelope()).string("payment_id");
        plane.clock.advance(Duration.ofMillis(1));
        var asked = payments.submit("b", payments.envelope().amount("0.90").with("intent", "\"pay_compute_job\""))
                .string("payment_id");
        plane.clock.advance(Duration.ofMillis(1));
        var stranger = payments.submit("c", payments.envelope().with("agent_id", "\"stranger\""))
                .string("payment_id");

        assertThat(listed("")).containsExactly(stranger, asked, small);
        assertThat(listed("?status=requires_human")).containsExactly(asked);
        assertThat(listed("?agent=stranger&status=rejected")).containsExactly(stranger);
        var first = plane.get("/v1/payment-requests?limit=2").send();
        assertThat(first.string("next")).isEqualTo(asked);
        assertThat(listed("?limit=2&after=" + asked)).containsExactly(small);
        assertThat(first.items().getFirst().has("receipts")).isFalse();
        for (String bad : List.of("?status=paid", "?after=x", "?limit=0", "?state=rejected")) {
            assertThat(plane.get("/v1/payment-requests" + bad).send().code()).isEqualTo("invalid_query");
        }
        assertThat(plane.get("/v1/payment-requests").as(TestPlane.GLOBEX).send().items())
                .isEmpty();
        assertThat(plane.get("/v1/payment-requests").anonymously().send().code())
                .isEqualTo("auth.required");
    }

    private List<String> listed(String query) {
        return plane.get("/v1/payment-requests" + query).send().items().stream()
                .map(item -> item.string("payment_id").orElseThrow())
                .toList();
    }

    @Test
    void a_payment_that_never_needed_a_human_has_nothing_to_decide() {
        String id = payments.submit("k", payments.envelope()).string("payment_id");

        assertThat(decide(id, "approve").code()).isEqualTo("not_awaiting_approval");
        assertThat(plane.post("/api/v1/approvals/" + id + "/approve")
                        .as(TestPlane.GLOBEX)
                        .send()
                        .code())
                .isEqualTo("job_not_found");
    }
}
