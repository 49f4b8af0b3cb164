package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The query of a request, read parameter by parameter; what does not fit is refused with its name. */
public final class Query {

    private final Request request;

    private Query(Request request) {
        this.request = request;
    }

    /** The request's query, which must not have parameters other than these. */
    public static Query of(Call call, Set<String> allowed) {
        for (var name : call.request().query().keySet()) {
            if (!allowed.contains(name)) {
                throw invalid(name, "This parameter is not known here.");
            }
        }
        return new Query(call.request());
    }

    /** The parameter's value; empty when it is absent or has no text. */
    public Optional<String> string(String name) {
        var values = all(name);
        if (values.size() > 1) {
            throw invalid(name, "This parameter may be sent once.");
        }
        return values.stream().findFirst().filter(value -> !value.isEmpty());
    }

    /** Every value of a parameter that may be repeated. */
    public List<String> all(String name) {
        return request.query().getOrDefault(name, List.of());
    }

    public int integer(String name, int min, int max, int otherwise) {
        var text = string(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notNumber) {
            // Refused below, like a number out of range.
        }
        throw invalid(name, "Expected a number from " + min + " to " + max + ".");
    }

    public static Refusal invalid(String name, String detail) {
        return new Refusal(Problem.of(ProblemCode.INVALID_QUERY, detail)
                .with(JsonObject.builder().put("parameter", name).build()));
    }
}
