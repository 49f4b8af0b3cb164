package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Export;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads everything over the API, as a user who may see all of a tenant. */
final class Exporter {

    private final Function<Request, Response> api;
    private final String tenant;

    Exporter(Function<Request, Response> api, String tenant) {
        this.api = api;
        this.tenant = tenant;
    }

    Export.OfTenant export() {
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
    int unsettled() {
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

    void put(String path, String body) {
        ask("PUT", path, Map.of(), body.getBytes(StandardCharsets.UTF_8));
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
        return ask("GET", path, query, new byte[0]);
    }

    private JsonNode ask(String method, String path, Map<String, String> query, byte[] body) {
        var parameters = new LinkedHashMap<String, List<String>>();
        query.forEach((name, value) -> parameters.put(name, List.of(value)));
        var headers = Map.of(
                "authorization",
                List.of("Bearer " + Configuration.token(tenant, "root")),
                "content-type",
                List.of("application/json"));
        var response =
                api.apply(new Request("req_" + "0".repeat(26), method, path, Map.of(), parameters, headers, body));
        if (response.status() >= 300) {
            throw new IllegalStateException(path + " answers " + new String(response.body(), StandardCharsets.UTF_8));
        }
        return JsonMapper.shared().readTree(response.body());
    }
}
