package dev.nonbis.bench.judge;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads everything over the API, as a user who may see all of a tenant. */
public final class Exporter {

    private final Function<String, JsonNode> get;

    /**
     * Reads through this.
     *
     * @param get gives the answer to a GET of a path with its query, and fails unless it is a success
     */
    public Exporter(Function<String, JsonNode> get) {
        this.get = get;
    }

    public Export.OfTenant export() {
        var all = Export.OfTenant.empty(get.apply("/api/v1/audit/head"));
        pages("/api/v1/jobs", item -> {
            var id = item.path("job_id").asString();
            var job = (ObjectNode) get.apply("/api/v1/jobs/" + id);
            job.set("timeline", get.apply("/api/v1/jobs/" + id + "/timeline").path("items"));
            all.jobs().put(id, job);
        });
        pages("/api/v1/runs", run -> all.runs().put(run.path("run_id").asString(), run));
        pages("/v1/payment-requests", item -> {
            var id = item.path("payment_id").asString();
            all.payments().put(id, get.apply("/v1/payment-requests/" + id));
        });
        pages("/api/v1/audit", all.audit()::add);
        for (var status : List.of("waiting", "decided")) {
            pages(
                    "/api/v1/approvals?status=" + status,
                    approval -> all.approvals().put(approval.path("job_id").asString(), approval));
        }
        return all;
    }

    /** How many things are not at their end. */
    public int unsettled() {
        int open = 0;
        for (var state : List.of("APPROVAL", "PENDING", "SCHEDULED", "DISPATCHED", "RUNNING", "UNKNOWN")) {
            open += get.apply("/api/v1/jobs?limit=50&state=" + state)
                    .path("items")
                    .size();
        }
        for (var state : List.of("RUNNING", "WAITING")) {
            open += get.apply("/api/v1/runs?limit=50&state=" + state)
                    .path("items")
                    .size();
        }
        return open
                + get.apply("/api/v1/approvals?limit=50&status=waiting")
                        .path("items")
                        .size();
    }

    private void pages(String path, Consumer<JsonNode> each) {
        var first = path + (path.contains("?") ? "&" : "?") + "limit=1000";
        String after = "";
        do {
            var page = get.apply(after.isEmpty() ? first : first + "&after=" + after);
            page.path("items").forEach(each);
            after = page.path("next").isNull() ? "" : page.path("next").asString("");
        } while (!after.isEmpty());
    }
}
