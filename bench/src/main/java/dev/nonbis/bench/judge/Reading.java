package dev.nonbis.bench.judge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads everything of one tenant, whatever way the API is reached. */
public final class Reading {

    private final Api api;

    /** Asks as a user who may see all of the tenant, until there is an answer. */
    public interface Api {
        JsonNode get(String path, Map<String, String> query);
    }

    public Reading(Api api) {
        this.api = api;
    }

    public Export.OfTenant export() {
        var all = Export.OfTenant.empty(get("/api/v1/audit/head", Map.of()));
        pages("/api/v1/jobs", Map.of(), item -> {
            var id = item.path("job_id").asString();
            var job = (ObjectNode) get("/api/v1/jobs/" + id, Map.of());
            job.set(
                    "timeline",
                    get("/api/v1/jobs/" + id + "/timeline", Map.of()).path("items"));
            all.jobs().put(id, job);
        });
        pages("/api/v1/runs", Map.of(), run -> all.runs().put(run.path("run_id").asString(), run));
        pages("/api/v1/audit", Map.of(), event -> {
            all.audit().add(event);
            if (event.path("type").asString().equals("payment.decided")) {
                var id = event.path("subject").asString();
                all.payments().put(id, get("/v1/payment-requests/" + id, Map.of()));
            }
        });
        for (var status : List.of("waiting", "decided")) {
            pages(
                    "/api/v1/approvals",
                    Map.of("status", status),
                    approval -> all.approvals().put(approval.path("job_id").asString(), approval));
        }
        return all;
    }

    /** How many things are not at their end. */
    public int unsettled() {
        int open = 0;
        for (var state : List.of("APPROVAL", "PENDING", "SCHEDULED", "DISPATCHED", "RUNNING", "UNKNOWN")) {
            open += get("/api/v1/jobs", Map.of("state", state, "limit", "50"))
                    .path("items")
                    .size();
        }
        for (var state : List.of("RUNNING", "WAITING")) {
            open += get("/api/v1/runs", Map.of("state", state, "limit", "50"))
                    .path("items")
                    .size();
        }
        return open;
    }

    private void pages(String path, Map<String, String> query, Consumer<JsonNode> each) {
        String after = "";
        do {
            var all = new LinkedHashMap<>(query);
            all.put("limit", "1000");
            if (!after.isEmpty()) {
                all.put("after", after);
            }
            var page = get(path, all);
            page.path("items").forEach(each);
            after = page.path("next").isNull() ? "" : page.path("next").asString("");
        } while (!after.isEmpty());
    }

    private JsonNode get(String path, Map<String, String> query) {
        return api.get(path, query);
    }
}
