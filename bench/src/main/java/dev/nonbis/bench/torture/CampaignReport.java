package dev.nonbis.bench.torture;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/** What a campaign did and what it found. */
public record CampaignReport(
        long seed,
        KillCampaign.Blows blows,
        Duration took,
        Counts counts,
        long violations,
        List<Violation> firstViolations) {

    /** How much was tried. */
    public record Counts(
            long requests,
            long acknowledged,
            long cancelled,
            long retriedUnknown,
            long replaysVerified,
            long mismatchesRefused,
            long auditEvents) {}

    public boolean clean() {
        return violations == 0;
    }

    public String asText() {
        var out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                """
                kills                %,d
                cut connections      %,d
                took                 %d s, seed %d
                requests             %,d
                acknowledged keys    %,d
                cancels              %,d
                retried unknown      %,d
                replays verified     %,d
                mismatches refused   %,d
                audit events         %,d
                violations           %,d
                """,
                blows.kills(),
                blows.cuts(),
                took.toSeconds(),
                seed,
                counts.requests(),
                counts.acknowledged(),
                counts.cancelled(),
                counts.retriedUnknown(),
                counts.replaysVerified(),
                counts.mismatchesRefused(),
                counts.auditEvents(),
                violations));
        firstViolations.forEach(violation -> out.append("  ").append(violation).append('\n'));
        return out.toString();
    }

    public String asJson() {
        var mapper = JsonMapper.shared();
        var root = mapper.createObjectNode();
        root.put("seed", seed)
                .put("kills", blows.kills())
                .put("cuts", blows.cuts())
                .put("seconds", took.toMillis() / 1e3);
        root.put("requests", counts.requests())
                .put("acknowledged", counts.acknowledged())
                .put("cancelled", counts.cancelled())
                .put("retried_unknown", counts.retriedUnknown())
                .put("replays_verified", counts.replaysVerified())
                .put("mismatches_refused", counts.mismatchesRefused())
                .put("audit_events", counts.auditEvents())
                .put("violations", violations);
        var first = root.putArray("first_violations");
        firstViolations.forEach(
                v -> first.addObject().put("rule", v.rule().name()).put("evidence", v.evidence()));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
