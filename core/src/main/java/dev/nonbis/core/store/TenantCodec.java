package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.audit.LastCheckpoint;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.tenant.JobCounts;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.tenant.TenantState.RunLimit;
import dev.nonbis.core.tenant.TenantState.Webhooks;
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
                .put("sealed_seq", tenant.checkpoint().seq())
                .put("sealed_at", Timestamps.micros(tenant.checkpoint().at()))
                .put("active_runs", tenant.activeRuns());
        tenant.runLimit()
                .ifPresent(limit -> json.put(
                        "max_runs",
                        limit.maxConcurrentRuns()
                                .<dev.nonbis.json.JsonValue>map(n -> new JsonNumber(n))
                                .orElse(JsonNull.NULL)));
        var jobs = JsonObject.builder();
        tenant.jobs().byState().forEach((state, count) -> jobs.put(state.name(), count));
        json.put("jobs", jobs.build())
                .put("jobs_at", Timestamps.micros(tenant.jobs().changedAt()))
                .put("webhooks", tenant.webhooks().count());
        tenant.webhooks().newsSince().ifPresent(at -> json.put("news_at", Timestamps.micros(at)));
        byte[] counters = Json.write(json.build());
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
                new LastCheckpoint(row.integer("sealed_seq"), row.instant("sealed_at")),
                (int) row.integer("active_runs"),
                limit,
                new JobCounts(jobs(row.object("jobs")), row.instant("jobs_at")),
                new Webhooks((int) row.integer("webhooks"), row.time("news_at")));
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
