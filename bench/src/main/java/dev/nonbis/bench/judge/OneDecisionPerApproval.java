package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * G7. Whoever is told of a decision is told of the same one, and the approval, the job's labels and state, the payment's status and receipts
 * and the log agree with it: kind, actor and time.
 */
final class OneDecisionPerApproval implements Checker {

    /** A decision as a caller was told of it. */
    private record Told(String kind, String by, String at) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var paid = new HashMap<String, String>();
        var told = told(history, paid, found);
        export.tenants().forEach((name, tenant) -> {
            var events = events(tenant);
            tenant.payments()
                    .forEach((id, payment) -> wrong(
                                    payment,
                                    Optional.ofNullable(tenant.approvals().get(id)),
                                    paid.getOrDefault(id, ""))
                            .ifPresent(what -> found.add(new Violation(Guarantee.G7, name + " " + id + " " + what))));
            tenant.approvals()
                    .forEach((id, approval) ->
                            judge(name + " " + id, approval, tenant, events.getOrDefault(id, List.of()), found));
        });
        told.forEach((id, decision) -> {
            var approval = export.tenants().values().stream()
                    .map(tenant -> tenant.approvals().get(id))
                    .filter(a -> a != null)
                    .findFirst();
            var stored = approval.map(a -> a.path("decision")).map(OneDecisionPerApproval::stored);
            if (stored.isEmpty() || !stored.get().equals(decision)) {
                found.add(new Violation(
                        Guarantee.G7, id + ": callers were told " + decision + ", and the record says " + approval));
            }
        });
        return found;
    }

    private static Map<String, Told> told(History history, Map<String, String> paid, List<Violation> found) {
        var told = new LinkedHashMap<String, Told>();
        var fresh = new HashMap<String, Integer>();
        for (var exchange : history.exchanges()) {
            var path = exchange.sent().path();
            var reply = exchange.reply().filter(Exchange.Reply::isSuccess);
            if (reply.isEmpty() || !exchange.sent().method().equals("POST") || !path.startsWith("/api/v1/approvals/")) {
                continue;
            }
            var id = Texts.segment(path, 3);
            var json = reply.get().json();
            var status = json.path("status").asString("");
            var kind = status.startsWith("already_") ? status.substring("already_".length()) : status;
            paid.putIfAbsent(id, json.path("payment_status").asString(""));
            if (!paid.getOrDefault(id, "").equals(json.path("payment_status").asString(""))) {
                found.add(new Violation(Guarantee.G7, id + " was told to be " + paid.get(id) + " and " + json));
            }
            var decision = new Told(
                    kind,
                    json.path(kind + "_by").asString(""),
                    json.path(kind + "_at").asString(""));
            var before = told.putIfAbsent(id, decision);
            if (before != null && !before.equals(decision)) {
                found.add(new Violation(Guarantee.G7, id + " was told as " + before + " and as " + decision));
            }
            if (!status.startsWith("already_") && fresh.merge(id, 1, Integer::sum) > 1) {
                found.add(new Violation(Guarantee.G7, id + " was decided more than once: " + decision));
            }
        }
        return told;
    }

    private static Map<String, List<JsonNode>> events(OfTenant tenant) {
        var events = new HashMap<String, List<JsonNode>>();
        for (var event : tenant.audit()) {
            if (event.path("type").asString("").startsWith("approval.")) {
                events.computeIfAbsent(event.path("subject").asString(""), s -> new ArrayList<>())
                        .add(event);
            }
        }
        return events;
    }

    private static Told stored(JsonNode decision) {
        return new Told(
                decision.path("kind").asString(""),
                decision.path("by").asString(""),
                decision.path("at").asString(""));
    }

    private static Told logged(JsonNode event) {
        return new Told(
                event.path("type").asString("").substring("approval.".length()),
                event.path("actor").asString(""),
                event.path("ts").asString(""));
    }

    /** What is wrong with a payment, given the approval that it asked for, if it did, and what those who decided were told. */
    private static Optional<String> wrong(JsonNode payment, Optional<JsonNode> approval, String told) {
        var status = payment.path("status").asString("");
        var decision = stored(approval.map(a -> a.path("decision")).orElse(payment.path("nothing")));
        var allowed = approval.isEmpty()
                ? Set.of("auto_approved", "rejected")
                : switch (decision.kind()) {
                    case "approved" -> Set.of("approved", "rejected");
                    case "rejected", "expired" -> Set.of("rejected");
                    default -> Set.of("requires_human");
                };
        if (!allowed.contains(status)) {
            return Optional.of("is " + status + ", and its approval " + approval);
        }
        if (!told.isEmpty() && !told.equals(status)) {
            return Optional.of("was told to be " + told + ", and is " + status);
        }
        if (decision.kind().isEmpty()) {
            return Optional.empty();
        }
        // An approval is asked of policy and budgets once more; only they may deny it then.
        var code = payment.path("deny_code").asString("");
        boolean byHuman = code.equals("approval." + decision.kind());
        if (status.equals("rejected")
                && (decision.kind().equals("approved") ? code.isEmpty() || code.startsWith("approval.") : !byHuman)) {
            return Optional.of("is " + decision + ", and denied for " + code);
        }
        return payment.path("decided_by").asString("").equals(decision.by())
                        && payment.path("decided_at").asString("").equals(decision.at())
                        && payment.path("receipts").size() == 2
                ? Optional.empty()
                : Optional.of("is " + decision + ", and the payment says otherwise: " + payment);
    }

    private static void judge(
            String name, JsonNode approval, OfTenant tenant, List<JsonNode> events, List<Violation> found) {
        var decision = stored(approval.path("decision"));
        int expected = approval.has("decision") ? 1 : 0;
        if (events.size() != expected) {
            found.add(new Violation(
                    Guarantee.G7,
                    name + " has " + events.size() + " events of a decision: " + approval + " " + events));
        } else if (expected == 1
                && !events.getFirst().path("type").asString("").equals("approval." + decision.kind())) {
            found.add(new Violation(Guarantee.G7, name + " is " + decision + ", and the log says " + events));
        } else if (expected == 1 && !logged(events.getFirst()).equals(decision)) {
            found.add(new Violation(Guarantee.G7, name + " is " + decision + ", and the log says " + events));
        }
        var job = tenant.jobs().get(approval.path("job_id").asString(""));
        if (job == null) {
            return;
        }
        boolean granted =
                job.path("labels").path("approval_granted").asString("").equals("true");
        if (granted != decision.kind().equals("approved")) {
            found.add(new Violation(Guarantee.G7, name + " is " + decision + ", and the labels " + job.path("labels")));
        }
        var message = job.path("labels").path("nonbis.bus_msg_id").asString("");
        if (!message.equals(granted ? "approval:" + job.path("job_id").asString("") : "")) {
            found.add(new Violation(Guarantee.G7, name + " is " + decision + ", and the labels " + job.path("labels")));
        }
        boolean refused = decision.kind().equals("rejected") || decision.kind().equals("expired");
        if (refused != job.path("state").asString("").equals("DENIED")) {
            found.add(new Violation(Guarantee.G7, name + " is " + decision + ", and the job " + job.path("state")));
        }
    }
}
