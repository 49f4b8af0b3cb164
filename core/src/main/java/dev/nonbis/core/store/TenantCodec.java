package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.tenant.TenantState.RunLimit;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The counters, and the events that are on no page yet. */
final class TenantCodec {

    private static final int USUAL_BYTES = 1536;

    private TenantCodec() {}

    static byte[] encode(TenantState tenant) {
        var json = JsonObject.builder()
                .put("audit_seq", tenant.audit().seq())
                .put("audit_hash", tenant.audit().hash())
                .put("audit_at", Timestamps.micros(tenant.audit().at()))
                .put("active_runs", tenant.activeRuns());
        tenant.runLimit()
                .ifPresent(limit -> json.put(
                        "max_runs",
                        limit.maxConcurrentRuns()
                                .<dev.nonbis.json.JsonValue>map(n -> new JsonNumber(n))
                                .orElse(JsonNull.NULL)));
        var jobs = JsonObject.builder();
        tenant.jobs().forEach((state, count) -> jobs.put(state.name(), count));
        byte[] counters = Json.write(json.put("jobs", jobs.build()).build());
        var packed = new Packer(USUAL_BYTES).bytes(counters);
        AuditCodec.put(packed, tenant.open());
        return packed.end();
    }

    static TenantState decode(byte[] body) {
        var packed = new Unpacker(body);
        var row = new Row(packed.bytes());
        var limit = row.json().has("max_runs")
                ? Optional.of(new RunLimit(row.json().integer("max_runs").map(Long::intValue)))
                : Optional.<RunLimit>empty();
        return new TenantState(
                new AuditHead(row.integer("audit_seq"), row.string("audit_hash"), row.instant("audit_at")),
                AuditCodec.page(packed),
                (int) row.integer("active_runs"),
                limit,
                jobs(row.object("jobs")));
    }

    private static Map<JobState, Long> jobs(JsonObject json) {
        var counts = new EnumMap<JobState, Long>(JobState.class);
        json.members()
                .keySet()
                .forEach(name ->
                        counts.put(JobState.valueOf(name), json.integer(name).orElse(0L)));
        return counts;
    }
}
