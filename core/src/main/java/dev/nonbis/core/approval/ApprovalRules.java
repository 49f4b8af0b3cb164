package dev.nonbis.core.approval;

import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.approval.Approval.Kind;
import dev.nonbis.core.problem.ProblemCode;
import java.time.Instant;
import java.util.Optional;

/** What one call to approve or reject makes of an approval. */
public final class ApprovalRules {

    private ApprovalRules() {}

    /** The two things a human can say. */
    public enum Call {
        APPROVE(Kind.APPROVED),
        REJECT(Kind.REJECTED);

        private final Kind makes;

        Call(Kind makes) {
            this.makes = makes;
        }

        public Kind makes() {
            return makes;
        }
    }

    /**
     * Who asks, and for which content.
     *
     * @param requestHash the content that the caller has seen, if it says so
     */
    public record Caller(String subject, Optional<String> requestHash, boolean maySelfApprove) {}

    /** What follows. */
    public sealed interface Ruling {

        /** The call decides. */
        record Decide() implements Ruling {}

        /** The call repeats the decision that was made. */
        record Repeat(Decision decision) implements Ruling {}

        /** The call comes to nothing. */
        record Refuse(ProblemCode code) implements Ruling {}
    }

    /**
     * The order matters: a caller who has seen other content is told so before anything else, a decision that was made is told to whoever
     * asks, and only a call that would decide is checked for being its own submitter's.
     */
    public static Ruling rule(Approval approval, Call call, Caller caller, Instant now) {
        if (caller.requestHash().isPresent()
                && !caller.requestHash().get().equals(approval.subject().requestHash())) {
            return new Ruling.Refuse(ProblemCode.APPROVAL_STALE_REQUEST);
        }
        return switch (approval.status()) {
            case DECIDED -> afterDecision(approval.decision().orElseThrow(), call);
            case CLOSED -> new Ruling.Refuse(ProblemCode.NOT_AWAITING_APPROVAL);
            case WAITING -> whileWaiting(approval, caller, now);
        };
    }

    private static Ruling afterDecision(Decision decision, Call call) {
        if (decision.kind() == call.makes()) {
            return new Ruling.Repeat(decision);
        }
        return new Ruling.Refuse(
                switch (decision.kind()) {
                    case APPROVED -> ProblemCode.APPROVAL_ALREADY_APPROVED;
                    case REJECTED -> ProblemCode.APPROVAL_ALREADY_REJECTED;
                    case EXPIRED -> ProblemCode.APPROVAL_EXPIRED;
                });
    }

    // Silence never approves: once the time is over a call comes too late, whether or not the loop has been by.
    private static Ruling whileWaiting(Approval approval, Caller caller, Instant now) {
        if (!now.isBefore(approval.expiresAt())) {
            return new Ruling.Refuse(ProblemCode.APPROVAL_EXPIRED);
        }
        if (caller.subject().equals(approval.subject().submittedBy()) && !caller.maySelfApprove()) {
            return new Ruling.Refuse(ProblemCode.SELF_APPROVAL_DENIED);
        }
        return new Ruling.Decide();
    }
}
