package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.Ledger.Effect;
import dev.nonbis.bench.torture.Ledger.Report;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is known of a dispatch campaign when it is over, from three sides.
 *
 * @param submitted each job that was acknowledged, and how its work was planned to end
 * @param states each job that the server lists, and its state
 * @param ends the audit log's events of jobs that ended, in order
 */
record DispatchHistory(
        Map<String, Plan> submitted,
        Map<String, String> states,
        List<End> ends,
        List<Effect> effects,
        List<Report> reports) {

    /** How the work of a job is meant to end. */
    enum Plan {
        SUCCEEDS,
        FAILS
    }

    /**
     * One end of one job.
     *
     * @param by which execution's result it was; empty when a human or the server decided
     */
    record End(String job, String state, Optional<Execution> by) {}

    /** One execution as one worker did it. */
    record Execution(int fence, String worker) {}
}
