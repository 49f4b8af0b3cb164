package dev.nonbis.core.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.approval.Approval.Kind;
import dev.nonbis.core.approval.Approval.Remarks;
import dev.nonbis.core.approval.ApprovalRules.Call;
import dev.nonbis.core.approval.ApprovalRules.Caller;
import dev.nonbis.core.approval.ApprovalRules.Ruling;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.problem.ProblemCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApprovalRulesTest {

    private static final Instant ASKED = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant EXPIRES = Instant.parse("2026-03-08T12:00:00Z");
    private static final Instant DECIDED = Instant.parse("2026-03-02T12:00:00Z");
    private static final String SUBMITTER = "alice";
    private static final String HASH = "a".repeat(64);

    private static final Approval WAITING = Approval.asked(
            new Approval.Subject(new TenantId("acme"), "job_1", SUBMITTER, HASH, Trace.of("trace")),
            ASKED,
            EXPIRES,
            Optional.of("rule"));

    /** What an approval can be when a call comes, with what follows for a stranger's approve and reject. */
    private record Situation(String name, Approval approval, Instant now, String approve, String reject) {

        String follows(Call call) {
            return switch (call) {
                case APPROVE -> approve;
                case REJECT -> reject;
            };
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Situation> situations() {
        var later = EXPIRES.plusSeconds(1);
        var closed = WAITING.closed();
        return Stream.of(
                new Situation("just asked", WAITING, ASKED, "decide", "decide"),
                new Situation("last moment", WAITING, EXPIRES.minusNanos(1000), "decide", "decide"),
                new Situation("time is over", WAITING, EXPIRES, "approval_expired", "approval_expired"),
                new Situation("long over", WAITING, later, "approval_expired", "approval_expired"),
                new Situation("approved", decided(Kind.APPROVED), DECIDED, "repeat", "approval_already_approved"),
                new Situation(
                        "approved long ago", decided(Kind.APPROVED), later, "repeat", "approval_already_approved"),
                new Situation("rejected", decided(Kind.REJECTED), DECIDED, "approval_already_rejected", "repeat"),
                new Situation(
                        "rejected long ago", decided(Kind.REJECTED), later, "approval_already_rejected", "repeat"),
                new Situation("expired", decided(Kind.EXPIRED), later, "approval_expired", "approval_expired"),
                new Situation("cancelled", closed, DECIDED, "not_awaiting_approval", "not_awaiting_approval"),
                new Situation("cancelled long ago", closed, later, "not_awaiting_approval", "not_awaiting_approval"));
    }

    private static Approval decided(Kind kind) {
        return WAITING.decided(new Decision(kind, "bob", DECIDED, "req_1", Remarks.NONE));
    }

    private static String word(Ruling ruling) {
        return switch (ruling) {
            case Ruling.Decide() -> "decide";
            case Ruling.Repeat(var decision) -> "repeat";
            case Ruling.Refuse(var code) -> code.word();
        };
    }

    private static List<Caller> callers(Optional<String> hash) {
        var callers = new ArrayList<Caller>();
        for (String subject : List.of(SUBMITTER, "bob", "carol")) {
            callers.add(new Caller(subject, hash, false));
            callers.add(new Caller(subject, hash, true));
        }
        return callers;
    }

    @ParameterizedTest
    @MethodSource("situations")
    void the_answer_depends_on_the_stored_decision_and_only_a_decider_is_checked_for_being_the_submitter(
            Situation situation) {
        for (var call : Call.values()) {
            for (var hash : List.of(Optional.<String>empty(), Optional.of(HASH))) {
                for (var caller : callers(hash)) {
                    String follows = situation.follows(call);
                    boolean own = caller.subject().equals(SUBMITTER) && !caller.maySelfApprove();
                    String expected = follows.equals("decide") && own ? "self_approval_denied" : follows;

                    assertThat(word(ApprovalRules.rule(situation.approval(), call, caller, situation.now())))
                            .as("%s by %s", call, caller)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("situations")
    void whoever_has_seen_other_content_is_told_so_whatever_has_happened(Situation situation) {
        for (var hash : List.of("", "b".repeat(64), "A".repeat(64))) {
            for (var call : Call.values()) {
                for (var caller : callers(Optional.of(hash))) {
                    assertThat(ApprovalRules.rule(situation.approval(), call, caller, situation.now()))
                            .isEqualTo(new Ruling.Refuse(ProblemCode.APPROVAL_STALE_REQUEST));
                }
            }
        }
    }

    @Test
    void a_repeat_is_the_first_decision_itself() {
        var caller = new Caller("carol", Optional.empty(), false);

        assertThat(ApprovalRules.rule(decided(Kind.APPROVED), Call.APPROVE, caller, EXPIRES))
                .isEqualTo(new Ruling.Repeat(new Decision(Kind.APPROVED, "bob", DECIDED, "req_1", Remarks.NONE)));
    }

    @Test
    void a_question_is_settled_once() {
        var again = new Decision(Kind.REJECTED, "carol", DECIDED, "req_2", Remarks.NONE);
        for (var settled : List.of(decided(Kind.APPROVED), decided(Kind.EXPIRED), WAITING.closed())) {
            assertThatThrownBy(() -> settled.decided(again)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(settled::closed).isInstanceOf(IllegalStateException.class);
        }
    }
}
