package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;

/** Carries a problem from a parsing or checking helper to the router. Only for the HTTP edge: operations return results. */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public Refusal(Problem problem) {
        super(problem.code().word(), null, false, false);
        this.problem = problem;
    }

    public static Refusal at(String pointer, ProblemCode code, String detail) {
        return new Refusal(Problem.of(code, detail).at(pointer));
    }

    public Problem problem() {
        return problem;
    }
}
