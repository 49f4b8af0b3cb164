package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.job.JobState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Response;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Jobs: all of them, and one with its story. */
public final class JobPages {

    private static final Pages.Page LIST = new Pages.Page("jobs.jte", "Jobs", "jobs");
    private static final Pages.Page ONE = new Pages.Page("job.jte", "Job", "jobs");
    private static final String PAGE = "50";

    private final Api api;
    private final Pages pages;
    private final Sessions sessions;

    JobPages(Api api, Pages pages, Sessions sessions) {
        this.api = api;
        this.pages = pages;
        this.sessions = sessions;
    }

    /** One job in a list. */
    public record Row(String id, String state, String topic, String submittedBy, String createdAt, long attempts) {}

    /** What is looked for. */
    public record Filter(String state, String topic, String label, List<String> states) {}

    /** A page of jobs. */
    public record Jobs(List<Row> rows, Filter filter, Optional<String> refused, Optional<String> next) {}

    /** The step of a run that a job is. */
    public record Step(String run, String step) {}

    /** A job with everything about it. */
    public record Job(
            Row row,
            String hash,
            String trace,
            long executions,
            List<Entry.Fact> labels,
            Optional<Step> step,
            Optional<String> worker,
            Optional<String> prompt,
            Optional<String> input,
            Optional<String> result,
            List<Entry> story,
            Actions actions) {}

    /** What the visitor may do to it. */
    public record Actions(boolean cancel, boolean resolve) {}

    Response list(Visit visit) {
        var filter = new Filter(
                visit.query("state").orElse(""),
                visit.query("topic").orElse(""),
                visit.query("label").orElse(""),
                Arrays.stream(JobState.values()).map(JobState::name).toList());
        var query = new HashMap<>(Map.of("limit", PAGE));
        put(query, "state", filter.state());
        put(query, "topic", filter.topic());
        put(query, "label", filter.label());
        visit.query("after").ifPresent(after -> query.put("after", after));
        var answer = api.get(visit, "/api/v1/jobs", query);
        var rows = answer.items().stream().map(JobPages::row).toList();
        var refused = answer.isGood() ? Optional.<String>empty() : Optional.of(answer.why());
        return pages.show(visit, LIST, new Jobs(rows, filter, refused, answer.next()));
    }

    private static void put(Map<String, String> query, String name, String value) {
        if (!value.isEmpty()) {
            query.put(name, value);
        }
    }

    Response one(Visit visit) {
        String id = visit.request().pathParam("id");
        var answer = api.get(visit, "/api/v1/jobs/" + Show.segment(id));
        if (!answer.isGood()) {
            return Missing.show(pages, visit, "job", id);
        }
        var story = api.get(visit, "/api/v1/jobs/" + Show.segment(id) + "/timeline");
        return pages.show(visit, ONE, job(visit, answer, story));
    }

    Response cancel(Visit visit, Form form) {
        String path = "/api/v1/jobs/" + id(visit) + "/cancel";
        var answer = api.post(visit, path, reason(form));
        return back(visit, answer);
    }

    Response resolve(Visit visit, Form form) {
        var body = JsonObject.builder()
                .put("outcome", form.text("outcome"))
                .put("reason", form.text("reason"))
                .build();
        return back(visit, api.post(visit, "/api/v1/jobs/" + id(visit) + "/resolve", body));
    }

    static JsonObject reason(Form form) {
        return JsonObject.builder().putString("reason", form.filled("reason")).build();
    }

    private Response back(Visit visit, Api.Answer answer) {
        var told = answer.isGood()
                ? Told.good("The job is " + answer.json().string("state").orElse("changed") + " ("
                        + answer.json().string("status").orElse("done") + ").")
                : Told.bad(answer.why());
        return sessions.telling(told, Pages.redirect("/jobs/" + id(visit)));
    }

    private static String id(Visit visit) {
        return Show.segment(visit.request().pathParam("id"));
    }

    static Row row(JsonObject json) {
        return new Row(
                json.string("job_id").orElse(""),
                json.string("state").orElse(""),
                json.string("topic").orElse(""),
                json.string("submitted_by").orElse(""),
                json.string("created_at").orElse(""),
                json.integer("attempts").orElse(0L));
    }

    private static Job job(Visit visit, Api.Answer answer, Api.Answer story) {
        var json = answer.json();
        var row = row(json);
        var state = JobState.valueOf(row.state());
        return new Job(
                row,
                json.string("request_hash").orElse(""),
                json.string("trace_id").orElse(""),
                json.integer("executions").orElse(0L),
                json.object("labels").map(Entry::facts).orElse(List.of()),
                json.string("run_id")
                        .map(run -> new Step(run, json.string("step").orElse(""))),
                json.string("worker_id"),
                answer.text("prompt"),
                answer.pretty("input"),
                answer.pretty("result"),
                Entry.of(story.items()),
                new Actions(
                        !state.isTerminal() && visit.may(Role.SUBMITTER, Role.OPERATOR),
                        state == JobState.UNKNOWN && visit.may(Role.OPERATOR)));
    }
}
