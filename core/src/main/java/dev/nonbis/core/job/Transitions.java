package dev.nonbis.core.job;

import static dev.nonbis.core.job.JobState.APPROVAL;
import static dev.nonbis.core.job.JobState.CANCELLED;
import static dev.nonbis.core.job.JobState.DENIED;
import static dev.nonbis.core.job.JobState.DISPATCHED;
import static dev.nonbis.core.job.JobState.FAILED;
import static dev.nonbis.core.job.JobState.PENDING;
import static dev.nonbis.core.job.JobState.RUNNING;
import static dev.nonbis.core.job.JobState.SCHEDULED;
import static dev.nonbis.core.job.JobState.SUCCEEDED;
import static dev.nonbis.core.job.JobState.TIMEOUT;
import static dev.nonbis.core.job.JobState.UNKNOWN;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The one table of which event moves which state where. What is not in it does not happen.
 *
 * <pre>
 *   APPROVAL ──approve──▶ PENDING ──schedule──▶ SCHEDULED ──dispatch──▶ DISPATCHED ──start──▶ RUNNING ──▶ SUCCEEDED | FAILED
 *      │ reject, expire                             ▲                       │                    │
 *      ▼                                            └──── roll back, requeue ┴───────────────────┤
 *    DENIED                                                                        lose          ▼
 *                                                   SCHEDULED ◀──requeue── UNKNOWN ◀─────────────┘
 * </pre>
 */
public final class Transitions {

    private static final Map<JobState, Map<JobEvent, JobState>> TABLE = new EnumMap<>(JobState.class);

    static {
        from(APPROVAL)
                .to(JobEvent.APPROVE, PENDING)
                .to(JobEvent.REJECT, DENIED)
                .to(JobEvent.EXPIRE, DENIED)
                .to(JobEvent.CANCEL, CANCELLED);
        from(PENDING)
                .to(JobEvent.SCHEDULE, SCHEDULED)
                .to(JobEvent.TIME_OUT, TIMEOUT)
                .to(JobEvent.CANCEL, CANCELLED);
        from(SCHEDULED)
                .to(JobEvent.SCHEDULE, SCHEDULED)
                .to(JobEvent.DISPATCH, DISPATCHED)
                .to(JobEvent.LOSE, UNKNOWN)
                .to(JobEvent.EXHAUST, FAILED)
                .to(JobEvent.TIME_OUT, TIMEOUT)
                .to(JobEvent.CANCEL, CANCELLED);
        from(DISPATCHED)
                .to(JobEvent.ROLL_BACK, SCHEDULED)
                .to(JobEvent.REQUEUE, SCHEDULED)
                .to(JobEvent.START, RUNNING)
                .to(JobEvent.LOSE, UNKNOWN)
                .to(JobEvent.EXHAUST, FAILED)
                .to(JobEvent.TIME_OUT, TIMEOUT)
                .to(JobEvent.CANCEL, CANCELLED);
        from(RUNNING)
                .to(JobEvent.SUCCEED, SUCCEEDED)
                .to(JobEvent.FAIL, FAILED)
                .to(JobEvent.REQUEUE, SCHEDULED)
                .to(JobEvent.LOSE, UNKNOWN)
                .to(JobEvent.CANCEL, CANCELLED);
        from(UNKNOWN)
                .to(JobEvent.SUCCEED, SUCCEEDED)
                .to(JobEvent.FAIL, FAILED)
                .to(JobEvent.REQUEUE, SCHEDULED)
                .to(JobEvent.CANCEL, CANCELLED);
    }

    private Transitions() {}

    /** Where the event leads from here; empty when it may not happen here. */
    public static Optional<JobState> next(JobState state, JobEvent event) {
        return Optional.ofNullable(TABLE.getOrDefault(state, Map.of()).get(event));
    }

    private static Row from(JobState state) {
        return new Row(TABLE.computeIfAbsent(state, s -> new EnumMap<>(JobEvent.class)));
    }

    private record Row(Map<JobEvent, JobState> moves) {

        Row to(JobEvent event, JobState state) {
            moves.put(event, state);
            return this;
        }
    }
}
