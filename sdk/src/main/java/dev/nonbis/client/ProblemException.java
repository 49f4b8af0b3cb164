package dev.nonbis.client;

import java.util.Optional;

/** The server answered with a problem: what happened is known. */
public final class ProblemException extends NonbisException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem, Optional<String> idempotencyKey) {
        super(problem.code() + ": " + problem.detail(), idempotencyKey, null);
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
