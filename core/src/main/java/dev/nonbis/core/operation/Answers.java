package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.RecordedAnswer;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;

/** Answers as they are recorded. */
final class Answers {

    private Answers() {}

    static RecordedAnswer ok(JsonObject body) {
        return ok(Json.write(body));
    }

    static RecordedAnswer ok(JsonText body) {
        return ok(body.end());
    }

    private static RecordedAnswer ok(byte[] body) {
        return new RecordedAnswer(200, "application/json", body);
    }

    static RecordedAnswer problem(Problem problem, String requestId) {
        return new RecordedAnswer(
                problem.code().status(), "application/problem+json", Json.write(problem.toJson(requestId)));
    }
}
