package dev.nonbis.bench.faults;

import dev.nonbis.bench.judge.Violation;
import java.util.List;
import java.util.Locale;

/** What a campaign of one fault did and what it found. */
public record FaultReport(
        String fault, long seed, int strikes, long requests, long acknowledged, List<Violation> violations) {

    private static final int TOLD = 20;

    public boolean clean() {
        return violations.isEmpty();
    }

    public String asText() {
        var out = new StringBuilder(String.format(
                Locale.ROOT,
                "%-6s %,4d strikes, %,7d requests, %,6d acknowledged, %d violations (seed %d)",
                fault.toLowerCase(Locale.ROOT),
                strikes,
                requests,
                acknowledged,
                violations.size(),
                seed));
        violations.stream().limit(TOLD).forEach(violation -> out.append("\n  ").append(violation));
        return out.toString();
    }
}
