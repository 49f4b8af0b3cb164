package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Counts the runs that were certainly active at the same time, from what the client saw alone: a run is certainly active from the
 * moment its start was acknowledged until the moment the first cancel was sent.
 */
final class RunLimitCheck {

    private RunLimitCheck() {}

    /** When a run was certainly active. */
    record Active(String run, long fromNanos, long untilNanos) {}

    private record Edge(long atNanos, int change, String run) {}

    static Optional<Violation> check(String tenant, int limit, List<Active> runs) {
        List<Edge> edges = new ArrayList<>();
        for (var run : runs) {
            if (run.untilNanos() > run.fromNanos()) {
                edges.add(new Edge(run.fromNanos(), 1, run.run()));
                edges.add(new Edge(run.untilNanos(), -1, run.run()));
            }
        }
        // At the same instant an end comes before a start, in the server's favour.
        edges.sort(Comparator.comparingLong(Edge::atNanos).thenComparingInt(Edge::change));
        int active = 0;
        for (var edge : edges) {
            active += edge.change();
            if (active > limit) {
                return Optional.of(new Violation(
                        Rule.RUN_LIMIT_HOLDS,
                        tenant + ": " + active + " runs active at once where " + limit + " are allowed, with "
                                + edge.run()));
            }
        }
        return Optional.empty();
    }
}
