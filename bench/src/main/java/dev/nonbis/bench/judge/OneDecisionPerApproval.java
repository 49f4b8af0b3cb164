package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** G7. Whoever is told of a decision is told of the same one, and the approval, the job's labels and state and the log agree with it. */
final class OneDecisionPerApproval implements Checker {

    /** A decision as a caller was told of it. */
    private record Told(String kind, String by, String at) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var told = told(history, found);
        export.tenants().forEach((name, tenant) -> {
            var events = events(tenant);
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

    private static Map<String, Told> told(History history, List<Violation> found) {
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
        boolean refused = decision.kind().equals("rejected") || decision.kind().equals("expired");
        if (refused != job.path("state").asString("").equals("DENIED")) {
            found.add(new Violation(Guarantee.G7, name + " is " + decision + ", and the job " + job.path("state")));
        }
    }
}
