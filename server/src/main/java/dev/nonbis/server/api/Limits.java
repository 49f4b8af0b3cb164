package dev.nonbis.server.api;

import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Refusal;
import java.util.Optional;

/** Bounds that several handlers share. */
final class Limits {

    static final int PAGE = 100;
    static final int MAX_PAGE = 1000;

    private static final int MAX_REASON = 2000;

    private Limits() {}

    static Optional<String> reason(Body body) {
        return remark(body, "reason");
    }

    /** What a human has to say, within bounds. */
    static Optional<String> remark(Body body, String name) {
        var remark = body.optionalString(name);
        if (remark.isPresent() && remark.get().length() > MAX_REASON) {
            throw Refusal.at("/" + name, ProblemCode.INVALID_FIELD, "Expected at most " + MAX_REASON + " characters.");
        }
        return remark;
    }
}
