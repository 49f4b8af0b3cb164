package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.FakePlane.Defect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fake's memory and rules; one request at a time. */
final class FakeState {

    /** The first is one already: on a slow machine a campaign may ask for few lists. */
    private static final int ONE_MISTAKE_IN = 10;

    private final Defect defect;
    private final Map<String, Tenant> tenants = new LinkedHashMap<>();
    private long ids;
    private long mistakable;

    record Asked(String tenant, String method, String path, String key, byte[] body) {}

    record Reply(int status, String body, boolean replayed) {}

    private record Recorded(String canonicalBody, String body) {}

    private record Item(String id, String state, String run) {

        String json() {
            var member = id.startsWith("job_") ? "job_id" : "run_id";
            var owner = run.isEmpty() ? "" : ",\"run_id\":\"" + run + "\"";
            return "{\"" + member + "\":\"" + id + "\",\"state\":\"" + state + "\"" + owner + "}";
        }
    }

    private static final class Tenant {
        private final Map<String, Recorded> keys = new LinkedHashMap<>();
        private final Map<String, Item> items = new LinkedHashMap<>();
        private final List<JsonNode> audit = new ArrayList<>();
        private int limit = Integer.MAX_VALUE;
    }

    FakeState(Defect defect) {
        this.defect = defect;
    }

    synchronized Reply handle(Asked asked) {
        boolean isList = asked.path().contains("state=RUNNING");
        boolean isMistaken = switch (defect) {
            case MAKES_MISTAKES -> asked.method().equals("POST");
            case MAKES_MISTAKES_IN_LISTS -> isList;
            default -> false;
        };
        return isMistaken && mistakable++ % ONE_MISTAKE_IN == 0
                ? new Reply(500, "{\"code\":\"internal_error\",\"retry\":\"same_key\"}", false)
                : answer(asked);
    }

    private Reply answer(Asked asked) {
        var tenant = tenants.computeIfAbsent(asked.tenant(), t -> new Tenant());
        var path = asked.path().split("\\?", 2)[0];
        if (asked.method().equals("PUT")) {
            tenant.limit = Json.parse(asked.body()).path("max_concurrent_runs").asInt(tenant.limit);
            return new Reply(200, "{}", false);
        }
        if (path.endsWith("/noop")) {
            return new Reply(200, "{\"noop\":true}", false);
        }
        if (asked.method().equals("POST")) {
            return path.endsWith("/cancel") ? cancel(tenant, path) : submit(tenant, asked);
        }
        return get(tenant, path, asked.path());
    }

    private Reply submit(Tenant tenant, Asked asked) {
        boolean run = asked.path().endsWith("/runs");
        var scope = run + "/" + asked.key();
        var canonical = CanonicalForm.of(Json.parse(asked.body()));
        var recorded = tenant.keys.get(scope);
        if (recorded != null && (recorded.canonicalBody().equals(canonical) || defect == Defect.ACCEPTS_OTHER_BODIES)) {
            if (defect == Defect.AUDITS_REPLAYS) {
                audit(
                        tenant,
                        run ? "run.started" : "job.submitted",
                        Json.member(recorded.body().getBytes(StandardCharsets.UTF_8), run ? "run_id" : "job_id"));
            }
            return new Reply(200, recorded.body(), true);
        }
        if (recorded != null) {
            return new Reply(422, "{\"code\":\"idempotency_key_reused\"}", false);
        }
        if (run && active(tenant) >= tenant.limit && defect != Defect.IGNORES_THE_LIMIT) {
            return new Reply(429, "{\"code\":\"max_concurrent_runs_reached\"}", false);
        }
        var body = run ? startRun(tenant) : createJob(tenant, "");
        tenant.keys.put(scope, new Recorded(canonical, body));
        return new Reply(200, body, false);
    }

    private String startRun(Tenant tenant) {
        var run = new Item("run_" + ++ids, "RUNNING", "");
        tenant.items.put(run.id(), run);
        audit(tenant, "run.started", run.id());
        createJob(tenant, run.id());
        return "{\"run_id\":\"" + run.id() + "\"}";
    }

    private String createJob(Tenant tenant, String run) {
        var job = new Item("job_" + ++ids, "PENDING", run);
        tenant.items.put(job.id(), job);
        audit(tenant, "job.submitted", job.id());
        return "{\"job_id\":\"" + job.id() + "\",\"state\":\"PENDING\"}";
    }

    private Reply cancel(Tenant tenant, String path) {
        var id = path.split("/", -1)[4];
        var item = tenant.items.get(id);
        if (item == null) {
            return new Reply(404, "{\"code\":\"job_not_found\"}", false);
        }
        if (item.state().equals("CANCELLED")) {
            return new Reply(200, "{\"status\":\"already_cancelled\"}", false);
        }
        tenant.items.put(id, new Item(id, "CANCELLED", item.run()));
        audit(tenant, id.startsWith("run_") ? "run.cancelled" : "job.cancelled", id);
        return new Reply(200, "{\"status\":\"cancelled\"}", false);
    }

    private Reply get(Tenant tenant, String path, String query) {
        if (path.equals("/api/v1/audit/head")) {
            var last = tenant.audit.getLast();
            return new Reply(
                    200,
                    "{\"seq\":" + tenant.audit.size() + ",\"hash\":\""
                            + last.path("hash").asString() + "\"}",
                    false);
        }
        if (path.equals("/api/v1/audit")) {
            long after = query.contains("after=") ? Long.parseLong(query.replaceAll(".*after=", "")) : 0;
            var page = tenant.audit.stream().skip(after).limit(1_000).toList();
            boolean more = after + page.size() < tenant.audit.size();
            return page(
                    page.stream().map(JsonNode::toString).toList(),
                    more ? "\"" + (after + page.size()) + "\"" : "null");
        }
        if (path.equals("/api/v1/jobs")) {
            return list(tenant, item -> item.id().startsWith("job_"));
        }
        if (path.equals("/api/v1/runs")) {
            boolean running = query.contains("state=RUNNING");
            return list(
                    tenant,
                    item -> item.id().startsWith("run_")
                            && (!running || item.state().equals("RUNNING")));
        }
        var id = path.split("/", -1)[4];
        var visible = defect == Defect.SHOWS_FOREIGN_OBJECTS ? tenants.values() : List.of(tenant);
        return visible.stream()
                .filter(t -> t.items.containsKey(id))
                .findFirst()
                .map(t -> new Reply(200, "{\"id\":\"" + id + "\"}", false))
                .orElse(new Reply(404, "{\"code\":\"job_not_found\"}", false));
    }

    private static Reply list(Tenant tenant, Predicate<Item> wanted) {
        return page(
                tenant.items.values().stream().filter(wanted).map(Item::json).toList(), "null");
    }

    private static Reply page(List<String> items, String next) {
        return new Reply(
                200,
                items.stream().collect(Collectors.joining(",", "{\"items\":[", "],\"next\":" + next + "}")),
                false);
    }

    private static long active(Tenant tenant) {
        return tenant.items.values().stream()
                .filter(item -> item.id().startsWith("run_") && item.state().equals("RUNNING"))
                .count();
    }

    private void audit(Tenant tenant, String type, String subject) {
        var data = JsonMapper.shared().createObjectNode().put("note", "é\u0001\"");
        var event = JsonMapper.shared().createObjectNode();
        event.put("seq", tenant.audit.size() + 1).put("id", "evt_" + ++ids).put("ts", "2026-01-01T00:00:00.000000Z");
        event.put("type", type)
                .put("actor", "bench")
                .put("subject", subject)
                .put("data_hash", CanonicalForm.sha256(data));
        event.put(
                "prev_hash",
                tenant.audit.isEmpty()
                        ? "0".repeat(64)
                        : tenant.audit.getLast().path("hash").asString());
        event.put("hash", CanonicalForm.sha256(event));
        if (defect == Defect.BREAKS_THE_CHAIN && tenant.audit.size() == 20) {
            event.put("actor", "mallory");
        }
        event.set("data", data);
        tenant.audit.add(event);
    }

    synchronized void afterKill() {
        for (var tenant : tenants.values()) {
            var lastKeys = tenant.keys.keySet().stream()
                    .skip(Math.max(0, tenant.keys.size() - 3))
                    .toList();
            if (defect == Defect.FORGETS_KEYS) {
                lastKeys.forEach(tenant.keys::remove);
            }
            var lastJobs = tenant.items.keySet().stream()
                    .skip(Math.max(0, tenant.items.size() - 3))
                    .toList();
            if (defect == Defect.FORGETS_ACKNOWLEDGED_JOBS) {
                lastJobs.forEach(tenant.items::remove);
            }
        }
    }
}
