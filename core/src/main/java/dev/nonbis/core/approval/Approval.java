package dev.nonbis.core.approval;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import java.time.Instant;
import java.util.Optional;

/**
 * One question to a human: may this go on?
 *
 * <pre>
 *   WAITING ──▶ DECIDED   approved, rejected, or expired unanswered
 *      └──────▶ CLOSED    what was asked about is gone
 * </pre>
 */
public record Approval(
        Subject subject,
        Instant requestedAt,
        Instant expiresAt,
        Optional<String> rule,
        Status status,
        Optional<Decision> decision) {

    /** What is asked about. */
    public record Subject(TenantId tenant, String id, String submittedBy, String requestHash, Trace trace) {

        public String traceId() {
            return trace.id();
        }
    }

    /** Where an approval is found: under the id of what it is about. */
    public record Key(TenantId tenant, String id) {}

    /** Where a question is. */
    public enum Status {
        WAITING,
        DECIDED,
        CLOSED
    }

    /** What was decided. */
    public enum Kind {
        APPROVED,
        REJECTED,
        EXPIRED
    }

    /** The one decision, with who made it, when, and in which request. */
    public record Decision(Kind kind, String by, Instant at, String requestId, Remarks remarks) {}

    /** What a human said with a decision. */
    public record Remarks(Optional<String> reason, Optional<String> note) {

        public static final Remarks NONE = new Remarks(Optional.empty(), Optional.empty());
    }

    public static Approval asked(Subject subject, Instant at, Instant expiresAt, Optional<String> rule) {
        return new Approval(subject, at, expiresAt, rule, Status.WAITING, Optional.empty());
    }

    public Key key() {
        return new Key(subject.tenant(), subject.id());
    }

    public Approval decided(Decision made) {
        requireWaiting();
        return new Approval(subject, requestedAt, expiresAt, rule, Status.DECIDED, Optional.of(made));
    }

    public Approval closed() {
        requireWaiting();
        return new Approval(subject, requestedAt, expiresAt, rule, Status.CLOSED, Optional.empty());
    }

    private void requireWaiting() {
        if (status != Status.WAITING) {
            throw new IllegalStateException("approval of " + subject.id() + " is " + status);
        }
    }
}
