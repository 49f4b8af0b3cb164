package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one tenant's requests made, as the export tells it: by operation and digest of the request. */
final class Effects {

    /** One thing that was made. */
    record Made(String id, String createdAt) {}

    /** Of a tenant that has nothing. */
    static final Effects NONE = new Effects(OfTenant.empty(JsonMapper.shared().missingNode()));

    private final Map<String, Map<String, List<Made>>> byOperation = new HashMap<>();

    Effects(OfTenant tenant) {
        var copies = copies(tenant);
        tenant.jobs().forEach((id, job) -> {
            if (!job.has("run_id") && !copies.contains(id)) {
                add("jobs", id, job);
            }
        });
        tenant.runs().forEach((id, run) -> add("runs", id, run));
        tenant.payments().forEach((id, payment) -> add("payments", id, payment));
    }

    List<Made> of(String operation, String requestHash) {
        return of(operation).getOrDefault(requestHash, List.of());
    }

    /** Every digest of a request that made something, with what it made. */
    Map<String, List<Made>> of(String operation) {
        return byOperation.getOrDefault(operation, Map.of());
    }

    // An operator had the work of a dead letter done again, as a new job with the same request.
    private static Set<String> copies(OfTenant tenant) {
        var copies = new HashSet<String>();
        for (var event : tenant.audit()) {
            if (event.path("type").asString("").equals("dead_letter.retried")) {
                var made = event.path("data").path("job").asString("");
                if (!made.equals(event.path("subject").asString(""))) {
                    copies.add(made);
                }
            }
        }
        return copies;
    }

    private void add(String operation, String id, JsonNode thing) {
        byOperation
                .computeIfAbsent(operation, o -> new HashMap<>())
                .computeIfAbsent(thing.path("request_hash").asString(""), h -> new ArrayList<>())
                .add(new Made(id, thing.path("created_at").asString("")));
    }
}
