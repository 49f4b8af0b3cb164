package dev.nonbis.bench.cluster;

import dev.nonbis.bench.judge.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/** What a campaign did and what the judge found. */
public record ClusterReport(long seed, Faults faults, Duration took, Counts counts, List<Violation> violations) {

    private static final int SHOWN = 20;

    public ClusterReport {
        violations = List.copyOf(violations);
    }

    /** What happened to the cluster, and how far the clocks of its servers were apart all the time. */
    public record Faults(int kills, int stops, Duration clocksApart) {}

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
            long paymentsForHumans,
            long workersRefused,
            long publishes,
            long waitedLong,
            long auditEvents) {}

    public boolean clean() {
        return violations.isEmpty();
    }

    public String asText() {
        var out = new StringBuilder(String.format(
                Locale.ROOT,
                """
                kills                %,d in %d s, seed %d
                stops                %,d; the servers' clocks were %.1f s apart
                requests             %,d, of which %,d were never answered, %,d with 503 and %,d only after seconds
                jobs                 %,d
                runs                 %,d, and %,d refusals at the limit
                payments             %,d
                approvals            %,d, of which %,d of payments
                workers refused      %,d
                messages             %,d
                audit events         %,d
                violations           %,d
                """,
                faults.kills,
                took.toSeconds(),
                seed,
                faults.stops,
                faults.clocksApart.toMillis() / 1e3,
                counts.requests,
                counts.unanswered,
                counts.unavailable,
                counts.waitedLong,
                counts.jobs,
                counts.runs,
                counts.refusedAtLimit,
                counts.payments,
                counts.approvals,
                counts.paymentsForHumans,
                counts.workersRefused,
                counts.publishes,
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
        root.put("seed", seed).put("kills", faults.kills).put("stops", faults.stops);
        root.put("clocks_apart_seconds", faults.clocksApart.toMillis() / 1e3).put("seconds", took.toMillis() / 1e3);
        root.set("counts", mapper.valueToTree(counts));
        var found = root.putArray("violations");
        violations.forEach(violation -> found.add(violation.toString()));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
