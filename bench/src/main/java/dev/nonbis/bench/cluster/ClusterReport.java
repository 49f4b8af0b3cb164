package dev.nonbis.bench.cluster;

import dev.nonbis.bench.judge.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/** What a campaign did and what the judge found. */
public record ClusterReport(long seed, int kills, Duration took, Counts counts, List<Violation> violations) {

    private static final int SHOWN = 20;

    public ClusterReport {
        violations = List.copyOf(violations);
    }

    /** How much was tried. */
    public record Counts(
            long requests,
            long unanswered,
            long unavailable,
            long jobs,
            long runs,
            long refusedAtLimit,
            long payments,
            long approvals,
            long auditEvents) {}

    public boolean clean() {
        return violations.isEmpty();
    }

    public String asText() {
        var out = new StringBuilder(String.format(
                Locale.ROOT,
                """
                kills                %,d in %d s, seed %d
                requests             %,d, of which %,d were never answered and %,d with 503
                jobs                 %,d
                runs                 %,d, and %,d refusals at the limit
                payments             %,d
                approvals            %,d
                audit events         %,d
                violations           %,d
                """,
                kills,
                took.toSeconds(),
                seed,
                counts.requests,
                counts.unanswered,
                counts.unavailable,
                counts.jobs,
                counts.runs,
                counts.refusedAtLimit,
                counts.payments,
                counts.approvals,
                counts.auditEvents,
                violations.size()));
        violations.stream()
                .limit(SHOWN)
                .forEach(violation -> out.append("  ").append(violation).append('\n'));
        return out.toString();
    }

    public String asJson() {
        var mapper = JsonMapper.shared();
        var root = mapper.createObjectNode();
        root.put("seed", seed).put("kills", kills).put("seconds", took.toMillis() / 1e3);
        root.set("counts", mapper.valueToTree(counts));
        var found = root.putArray("violations");
        violations.forEach(violation -> found.add(violation.toString()));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
