package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.run.RunState;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Response;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs: all of them, and one with its steps. */
public final class RunPages {

    private static final Pages.Page LIST = new Pages.Page("runs.jte", "Runs", "runs");
    private static final Pages.Page ONE = new Pages.Page("run.jte", "Run", "runs");
    private static final String PAGE = "50";

    private final Api api;
    private final Pages pages;
    private final Sessions sessions;

    RunPages(Api api, Pages pages, Sessions sessions) {
        this.api = api;
        this.pages = pages;
        this.sessions = sessions;
    }

    /** One run in a list, with the state of each of its steps. */
    public record Row(
            String id,
            String state,
            String workflow,
            long version,
            String startedBy,
            String createdAt,
            List<Step> steps) {}

    /** A step, and the job that it is once there is one. */
    public record Step(String name, String state, Optional<String> job, List<String> needs) {}

    /** What is looked for. */
    public record Filter(String state, String workflow, List<String> states) {}

    /** A page of runs. */
    public record Runs(List<Row> rows, Filter filter, Optional<String> refused, Optional<String> next) {}

    /** A run with everything about it. */
    public record Run(
            Row row,
            String hash,
            String trace,
            Optional<String> endedAt,
            Optional<String> input,
            List<Entry> story,
            boolean mayCancel) {}

    Response list(Visit visit) {
        var filter = new Filter(
                visit.query("state").orElse(""),
                visit.query("workflow").orElse(""),
                Arrays.stream(RunState.values()).map(RunState::name).toList());
        var query = new HashMap<>(Map.of("limit", PAGE));
        visit.query("state").ifPresent(state -> query.put("state", state));
        visit.query("workflow").ifPresent(workflow -> query.put("workflow", workflow));
        visit.query("after").ifPresent(after -> query.put("after", after));
        var answer = api.get(visit, "/api/v1/runs", query);
        var rows = answer.items().stream().map(run -> row(run, Map.of())).toList();
        var refused = answer.isGood() ? Optional.<String>empty() : Optional.of(answer.why());
        return pages.show(visit, LIST, new Runs(rows, filter, refused, answer.next()));
    }

    Response one(Visit visit) {
        String id = visit.request().pathParam("id");
        var answer = api.get(visit, "/api/v1/runs/" + Show.segment(id));
        if (!answer.isGood()) {
            return Missing.show(pages, visit, "run", id);
        }
        var json = answer.json();
        var story = api.get(visit, "/api/v1/runs/" + Show.segment(id) + "/timeline");
        var row = row(json, needs(visit, json));
        boolean active = RunState.valueOf(row.state()).isActive();
        return pages.show(
                visit,
                ONE,
                new Run(
                        row,
                        json.string("request_hash").orElse(""),
                        json.string("trace_id").orElse(""),
                        json.string("ended_at"),
                        answer.pretty("input"),
                        Entry.of(story.items()),
                        active && visit.may(Role.SUBMITTER, Role.OPERATOR)));
    }

    Response cancel(Visit visit, Form form) {
        String id = Show.segment(visit.request().pathParam("id"));
        var answer = api.post(visit, "/api/v1/runs/" + id + "/cancel", JobPages.reason(form));
        var told = answer.isGood()
                ? Told.good("The run is " + answer.json().string("state").orElse("changed") + ".")
                : Told.bad(answer.why());
        return sessions.telling(told, Pages.redirect("/runs/" + id));
    }

    /** What each step waits for, from the newest definition when that is the run's; nothing otherwise. */
    private Map<String, List<String>> needs(Visit visit, JsonObject run) {
        var answer = api.get(
                visit,
                "/api/v1/workflows/" + Show.segment(run.string("workflow").orElse("-")));
        var needs = new HashMap<String, List<String>>();
        if (!answer.json().integer("version").equals(run.integer("version"))) {
            return needs;
        }
        for (var step : answer.json()
                .object("definition")
                .flatMap(definition -> definition.array("steps"))
                .map(JsonArray::items)
                .orElse(List.of())) {
            if (step instanceof JsonObject object) {
                needs.put(object.string("id").orElse(""), strings(object.array("needs")));
            }
        }
        return needs;
    }

    private static List<String> strings(Optional<JsonArray> array) {
        return array.map(JsonArray::items).orElse(List.of()).stream()
                .filter(JsonString.class::isInstance)
                .map(item -> ((JsonString) item).value())
                .toList();
    }

    private static Row row(JsonObject json, Map<String, List<String>> needs) {
        var jobs = new HashMap<String, String>();
        for (var job : json.array("jobs").map(JsonArray::items).orElse(List.of())) {
            if (job instanceof JsonObject object) {
                jobs.put(
                        object.string("step").orElse(""),
                        object.string("job_id").orElse(""));
            }
        }
        var steps = new ArrayList<Step>();
        json.object("steps").orElse(JsonObject.EMPTY).members().forEach((name, state) -> {
            if (state instanceof JsonString(var text)) {
                steps.add(
                        new Step(name, text, Optional.ofNullable(jobs.get(name)), needs.getOrDefault(name, List.of())));
            }
        });
        return new Row(
                json.string("run_id").orElse(""),
                json.string("state").orElse(""),
                json.string("workflow").orElse(""),
                json.integer("version").orElse(0L),
                json.string("started_by").orElse(""),
                json.string("created_at").orElse(""),
                steps);
    }
}
