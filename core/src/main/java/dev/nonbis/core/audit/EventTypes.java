package dev.nonbis.core.audit;

import java.util.Collections;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;

/** Every type of event that is written to a log. What is not in this list is not written, and no filter may name it. */
public final class EventTypes {

    public static final SequencedSet<String> ALL = Collections.unmodifiableSequencedSet(new TreeSet<>(List.of(
            "approval.approved",
            "approval.expired",
            "approval.rejected",
            "audit.redacted",
            "audit.segment_dropped",
            "dead_letter.discarded",
            "dead_letter.retried",
            "durability.relaxed",
            "job.cancelled",
            "job.failed",
            "job.requeued",
            "job.submitted",
            "job.succeeded",
            "job.timeout",
            "job.unknown",
            "key.released",
            "limits.set",
            "payment.decided",
            "run.cancelled",
            "run.ended",
            "run.started",
            "webhook.deleted",
            "webhook.put",
            "workflow.put")));

    private EventTypes() {}
}
