package dev.nonbis.server.ui;

import dev.nonbis.core.idempotency.Admission;
import dev.nonbis.core.identity.PaymentId;
import dev.nonbis.core.operation.Admissions;
import dev.nonbis.core.operation.ListPayments;
import dev.nonbis.core.payment.Payment;
import dev.nonbis.core.store.Store;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Response;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/** Payments: what agents asked for, which rule decided, and what is left of their budgets. */
public final class PaymentPages {

    private static final Pages.Page LIST = new Pages.Page("payments.jte", "Payments", "payments");
    private static final Pages.Page ONE = new Pages.Page("payment.jte", "Payment", "payments");
    private static final int PAGE = 50;
    private static final int AGENTS = 8;
    private static final int WHOLE_BAR = 100;

    private final Api api;
    private final Pages pages;
    private final Store store;
    private final ListPayments listPayments;

    PaymentPages(Api api, Pages pages, Store store) {
        this.api = api;
        this.pages = pages;
        this.store = store;
        this.listPayments = new ListPayments(store);
    }

    /** One payment in a list. */
    public record Row(
            String id, String status, String agent, String amount, String rule, String denyCode, String createdAt) {}

    /**
     * One cap and what is spent of it.
     *
     * @param percent how full it is, from 0 to 100
     */
    public record Bar(String scope, String window, String spent, String cap, int percent, boolean counted) {}

    /** An agent's budgets. */
    public record Agent(String id, List<Bar> bars) {}

    /** A page of payments, and the budgets of the agents on it. */
    public record Payments(List<Row> rows, List<Agent> agents, Optional<String> next) {}

    /** A payment with everything about it. */
    public record One(
            Row row,
            String decision,
            String decidedBy,
            String decidedAt,
            String nonce,
            String hash,
            String policy,
            String event,
            String envelope,
            List<String> receipts,
            Agent agent) {}

    Response list(Visit visit) {
        var page = listPayments.list(
                visit.tenant(), ListPayments.Filter.ALL, visit.query("after").flatMap(PaymentId::of), PAGE);
        var rows = page.items().stream().map(PaymentPages::row).toList();
        var agents = rows.stream()
                .map(Row::agent)
                .distinct()
                .limit(AGENTS)
                .map(agent -> agent(visit, agent))
                .filter(agent -> !agent.bars().isEmpty())
                .toList();
        var next = page.lastSeen().map(key -> key.substring(key.indexOf('/') + 1));
        return pages.show(visit, LIST, new Payments(rows, agents, next));
    }

    Response one(Visit visit) {
        String id = visit.request().pathParam("id");
        var answer = api.get(visit, "/v1/payment-requests/" + Show.segment(id));
        if (!answer.isGood()) {
            return Missing.show(pages, visit, "payment", id);
        }
        var json = answer.json();
        var asked = Admissions.find(store::find, visit.tenant(), id).map(Admission::body);
        var receipts = json.array("receipts").map(JsonArray::items).orElse(List.of()).stream()
                .map(Show::pretty)
                .toList();
        var row = new Row(
                id,
                json.string("status").orElse(""),
                json.string("agent_id").orElse(""),
                json.object("amount").flatMap(amount -> amount.string("value")).orElse(""),
                json.string("matched_rule_id").orElse("none"),
                json.string("deny_code").orElse(""),
                json.string("created_at").orElse(""));
        return pages.show(
                visit,
                ONE,
                new One(
                        row,
                        json.string("decision").orElse(""),
                        json.string("decided_by").orElse(""),
                        json.string("decided_at").orElse(""),
                        asked.map(JsonSlice::members)
                                .map(members -> members.get("nonce"))
                                .map(JsonSlice::parse)
                                .map(nonce -> nonce instanceof JsonString(var text) ? text : "")
                                .orElse(""),
                        json.string("request_hash").orElse(""),
                        json.string("policy_hash").orElse("none"),
                        json.string("audit_event_id").orElse(""),
                        asked.map(JsonSlice::of).map(PrettyJson::of).orElse(""),
                        receipts,
                        agent(visit, row.agent())));
    }

    private static Row row(Payment payment) {
        return new Row(
                payment.id().value(),
                payment.decision().status().word(),
                payment.origin().agentId(),
                payment.origin().amountUsd(),
                payment.decision().rule().orElse("none"),
                payment.decision().denyCode().orElse(""),
                Show.rfc3339(payment.origin().createdAt()));
    }

    private Agent agent(Visit visit, String id) {
        var answer = api.get(visit, "/api/v1/budgets/" + Show.segment(id));
        return new Agent(id, answer.items().stream().map(PaymentPages::bar).toList());
    }

    private static Bar bar(JsonObject line) {
        String cap = line.string("cap_usd").orElse("0");
        var spent = line.string("spent_usd");
        String window = line.string("provider").or(() -> line.string("window")).orElse("each");
        return new Bar(
                line.string("scope").orElse(""),
                window,
                spent.orElse(""),
                cap,
                spent.map(amount -> percent(amount, cap)).orElse(0),
                spent.isPresent());
    }

    private static int percent(String spent, String cap) {
        var whole = new BigDecimal(cap);
        if (whole.signum() == 0) {
            return WHOLE_BAR;
        }
        return new BigDecimal(spent)
                .multiply(BigDecimal.valueOf(WHOLE_BAR))
                .divide(whole, 0, RoundingMode.HALF_UP)
                .min(BigDecimal.valueOf(WHOLE_BAR))
                .intValue();
    }
}
