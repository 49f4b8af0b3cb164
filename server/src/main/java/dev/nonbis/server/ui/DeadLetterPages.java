package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Role;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs that ran out of attempts. */
public final class DeadLetterPages {

    private static final Pages.Page LIST = new Pages.Page("dead-letters.jte", "Dead letters", "letters");

    private final Api api;
    private final Pages pages;
    private final Sessions sessions;

    DeadLetterPages(Api api, Pages pages, Sessions sessions) {
        this.api = api;
        this.pages = pages;
        this.sessions = sessions;
    }

    /** One letter. */
    public record Row(String job, String topic, String state, String why, String at, Optional<String> retriedAs) {}

    /** A page of letters. */
    public record Letters(List<Row> rows, boolean mayAct, Optional<String> refused, Optional<String> next) {}

    Response list(Visit visit) {
        var query = new HashMap<>(Map.of("limit", "50"));
        visit.query("after").ifPresent(after -> query.put("after", after));
        var answer = api.get(visit, "/api/v1/dlq", query);
        var refused = answer.isGood() ? Optional.<String>empty() : Optional.of(answer.why());
        return pages.show(
                visit,
                LIST,
                new Letters(
                        answer.items().stream().map(DeadLetterPages::row).toList(),
                        visit.may(Role.OPERATOR),
                        refused,
                        answer.next()));
    }

    Response act(Visit visit, Form form) {
        String id = Show.segment(visit.request().pathParam("id"));
        var told = switch (form.text("action")) {
            case "retry" -> told(id, api.post(visit, "/api/v1/dlq/" + id + "/retry", JsonObject.EMPTY));
            case "discard" -> told(id, api.delete(visit, "/api/v1/dlq/" + id, JobPages.reason(form)));
            default -> Told.bad(id + ": the form does not say what to do. Nothing was done.");
        };
        return sessions.telling(told, Pages.redirect("/dead-letters"));
    }

    private static Told told(String id, Api.Answer answer) {
        if (!answer.isGood()) {
            return Told.bad(answer.why());
        }
        String as = answer.json().string("retried_as").map(job -> " as " + job).orElse("");
        return Told.good(id + ": " + answer.json().string("status").orElse("done") + as + ".");
    }

    private static Row row(JsonObject json) {
        return new Row(
                json.string("job_id").orElse(""),
                json.string("topic").orElse(""),
                json.string("state").orElse(""),
                json.string("why").orElse(""),
                json.string("at").orElse(""),
                json.string("retried_as").or(() -> json.object("retry").flatMap(retry -> retry.string("job_id"))));
    }
}
