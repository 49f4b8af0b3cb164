package dev.nonbis.bench.torture;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a dispatch campaign did and what it found.
 *
 * @param worked from the first submission until everything was at rest
 */
public record DispatchReport(
        long seed, Duration worked, Faults faults, Counts counts, long violations, List<Violation> firstViolations) {

    /** What was done to server and workers. */
    public record Faults(int serverKills, int workerKills, int workerPauses) {}

    /**
     * How it ended.
     *
     * @param held jobs that waited for a human
     * @param effects effects that took place
     * @param effectCalls calls for effects, repeated ones too
     * @param ends ends that the audit log tells of
     */
    public record Counts(
            long jobs, long succeeded, long failed, long held, long effects, long effectCalls, long ends) {}

    public boolean clean() {
        return violations == 0;
    }

    private double jobsPerSecond() {
        return counts.jobs() * 1e9 / Math.max(1, worked.toNanos());
    }

    public String asText() {
        var out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                """
                jobs                 %,d in %d s, %.0f a second, seed %d
                server kills         %,d
                worker kills         %,d
                worker pauses        %,d
                succeeded, failed    %,d, %,d
                waited for a human   %,d
                effects              %,d, asked for %,d times
                ends in the audit    %,d
                violations           %,d
                """,
                counts.jobs(),
                worked.toSeconds(),
                jobsPerSecond(),
                seed,
                faults.serverKills(),
                faults.workerKills(),
                faults.workerPauses(),
                counts.succeeded(),
                counts.failed(),
                counts.held(),
                counts.effects(),
                counts.effectCalls(),
                counts.ends(),
                violations));
        firstViolations.forEach(violation -> out.append("  ").append(violation).append('\n'));
        return out.toString();
    }

    public String asJson() {
        var mapper = JsonMapper.shared();
        var root = mapper.createObjectNode();
        root.put("seed", seed)
                .put("seconds", worked.toMillis() / 1e3)
                .put("jobs", counts.jobs())
                .put("jobs_per_second", jobsPerSecond())
                .put("server_kills", faults.serverKills())
                .put("worker_kills", faults.workerKills())
                .put("worker_pauses", faults.workerPauses())
                .put("succeeded", counts.succeeded())
                .put("failed", counts.failed())
                .put("held", counts.held())
                .put("effects", counts.effects())
                .put("effect_calls", counts.effectCalls())
                .put("ends", counts.ends())
                .put("violations", violations);
        var first = root.putArray("first_violations");
        firstViolations.forEach(
                v -> first.addObject().put("rule", v.rule().name()).put("evidence", v.evidence()));
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }
}
