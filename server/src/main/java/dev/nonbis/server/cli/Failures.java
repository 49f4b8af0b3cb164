package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisException;
import dev.nonbis.client.OutcomeUnknownException;
import dev.nonbis.client.Problem;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.UnreachableException;
import java.util.Optional;
import java.util.Set;

/** Turns failures into an exit code and two lines: what happened, and what to do next. */
final class Failures {

    private static final Set<String> DENIED = Set.of("policy_denied", "self_approval_denied");
    private static final Set<String> AUTHENTICATION =
            Set.of("unauthenticated", "forbidden", "tenant_mismatch", "auth.required", "auth.invalid_token");
    private static final Set<String> CONFLICT = Set.of(
            "idempotency_key_reused",
            "protocol.idempotency_conflict",
            "protocol.nonce_replay",
            "job_already_terminal",
            "run_already_terminal",
            "job_not_unknown",
            "approval_already_approved",
            "approval_already_rejected",
            "not_awaiting_approval",
            "approval_expired",
            "approval_stale_request",
            "claimed_elsewhere",
            "stale_fence",
            "result_conflict");

    private Failures() {}

    static ExitCode tell(Terminal terminal, Exception failure) {
        return switch (failure) {
            case CommandFailed failed -> tell(terminal, failed.exit(), message(failed), failed.next());
            case StartRefused refused -> tell(terminal, ExitCode.ERROR, message(refused), refused.next());
            case NonbisException call -> tell(terminal, call);
            default -> {
                failure.printStackTrace(terminal.err());
                yield tell(terminal, ExitCode.ERROR, "a fault in nonbis: " + failure, "report it with the lines above");
            }
        };
    }

    private static ExitCode tell(Terminal terminal, NonbisException failure) {
        return switch (failure) {
            case ProblemException refused -> tell(terminal, refused);
            case OutcomeUnknownException unknown ->
                tell(
                        terminal,
                        ExitCode.UNKNOWN,
                        message(unknown) + cause(unknown) + "; it may have taken effect",
                        unknown.idempotencyKey()
                                .map(key -> "send the same again with --key " + key + ": it will not happen twice")
                                .orElse("look at the object's state, then send the same again"));
            case UnreachableException unreachable ->
                tell(
                        terminal,
                        ExitCode.ERROR,
                        message(unreachable) + cause(unreachable) + "; nothing was changed",
                        "check that the server runs and that --url or NONBIS_URL names it");
        };
    }

    private static ExitCode tell(Terminal terminal, ProblemException refused) {
        var problem = refused.problem();
        var exit = tell(
                terminal,
                exit(problem),
                problem.code() + ": " + (problem.detail().isEmpty() ? problem.title() : problem.detail()),
                next(problem, refused.idempotencyKey().isPresent()));
        if (!problem.requestId().isEmpty()) {
            terminal.err().println("request: " + Report.visible(problem.requestId()));
        }
        return exit;
    }

    private static ExitCode tell(Terminal terminal, ExitCode exit, String what, String next) {
        terminal.err().println("error: " + Report.visible(what));
        terminal.err().println("next: " + Report.visible(next));
        return exit;
    }

    /** Whether no other call under this credential would fare better. */
    static boolean isAboutCredentials(Problem problem) {
        return AUTHENTICATION.contains(problem.code());
    }

    private static ExitCode exit(Problem problem) {
        if (DENIED.contains(problem.code())) {
            return ExitCode.DENIED;
        }
        if (isAboutCredentials(problem)) {
            return ExitCode.AUTHENTICATION;
        }
        return CONFLICT.contains(problem.code()) ? ExitCode.CONFLICT : ExitCode.ERROR;
    }

    private static String next(Problem problem, boolean keyed) {
        var retry = "retry " + problem.retry().word() + ": ";
        return switch (problem.retry()) {
            case SAME_KEY ->
                retry + "send the same request again" + (keyed ? " with the same --key" : "")
                        + problem.retryAfter()
                                .map(wait -> ", after " + wait.toMillis() + " ms")
                                .orElse("");
            case FIX_REQUEST ->
                retry
                        + ofDecision(problem.code())
                                .orElse("nothing was recorded; correct the request"
                                        + (keyed ? ", the key is free" : ""));
            case NEW_KEY -> retry + "this key belongs to another request; use another --key";
            case NEVER -> retry + ofDecision(problem.code()).orElse("sending this again will not help");
        };
    }

    /** Tells a human who wanted to decide apart: somebody decided otherwise, or there is nothing to decide. */
    private static Optional<String> ofDecision(String code) {
        return switch (code) {
            case "approval_already_approved" ->
                Optional.of(
                        "someone decided otherwise and that stands; approvals show tells who, job cancel stops the work");
            case "approval_already_rejected" ->
                Optional.of(
                        "someone decided otherwise and that stands; approvals show tells who, job submit asks anew");
            case "not_awaiting_approval" -> Optional.of("there is nothing to decide; job timeline tells why");
            case "approval_expired" -> Optional.of("nobody decided in time, so it was denied; job submit asks anew");
            case "approval_stale_request" ->
                Optional.of(
                        "nothing was decided, because this is not what you were shown; look at it with approvals show");
            case "self_approval_denied" -> Optional.of("nothing was decided; somebody else has to");
            default -> Optional.empty();
        };
    }

    private static String cause(NonbisException failure) {
        var cause = failure.getCause();
        return cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
    }

    private static String message(Exception failure) {
        return String.valueOf(failure.getMessage());
    }
}
