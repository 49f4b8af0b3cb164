package dev.nonbis.core.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a log is sealed. It is kept with the log's head, so that a log whose last event is sealed is in no index of what is due.
 *
 * @param seq the last event that is sealed; zero when none is
 * @param at when the checkpoint was made
 */
public record LastCheckpoint(long seq, Instant at) {

    /** A checkpoint is made after this many events at the latest. */
    public static final int MAX_EVENTS = 1_000;

    /** And after this long, if there was any event. */
    public static final Duration MAX_AGE = Duration.ofSeconds(60);

    /** Before the first checkpoint. */
    public static final LastCheckpoint NONE = new LastCheckpoint(0, Instant.EPOCH);

    /**
     * When the next one is due; empty while the log's last event is sealed. The time does not move with each event: it is set by the first
     * unsealed one and changes once more when {@link #MAX_EVENTS} are reached, because what moves is written to an index.
     */
    public Optional<Instant> nextDue(AuditHead head) {
        if (head.seq() <= seq) {
            return Optional.empty();
        }
        return Optional.of(head.seq() - seq >= MAX_EVENTS ? Instant.EPOCH : at.plus(MAX_AGE));
    }
}
