package dev.nonbis.server.api;

import dev.nonbis.core.operation.Page;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PutWorkflow;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.run.Workflow;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import java.util.Set;

/** Workflows over HTTP. */
final class WorkflowsApi {

    private final Ports ports;
    private final PutWorkflow putWorkflow;

    WorkflowsApi(Ports ports) {
        this.ports = ports;
        this.putWorkflow = new PutWorkflow(ports);
    }

    Response put(Call call) {
        String id = call.request().pathParam("id");
        if (!Workflow.isValidId(id)) {
            throw new Refusal(Problem.of(
                    ProblemCode.INVALID_FIELD,
                    "A workflow's name is 1 to 63 of letters, digits, _ and -, and starts with a letter or digit."));
        }
        var definition = Body.object(call, Set.of("steps")).json();
        return switch (putWorkflow.put(call.actor(), id, definition)) {
            case PutWorkflow.Result.Stored(var latest) ->
                Response.json(200, view(latest, "stored").build());
            case PutWorkflow.Result.Unchanged(var latest) ->
                Response.json(200, view(latest, "unchanged").build());
            case PutWorkflow.Result.Invalid(var pointer, var why) ->
                throw Refusal.at(pointer, ProblemCode.WORKFLOW_INVALID, pointer + " " + why + ".");
        };
    }

    Response get(Call call) {
        var tenant = call.actor().tenant();
        var key = new Workflow.Key(tenant, call.request().pathParam("id"));
        return ports.store()
                .read(tx -> tx.find(Tables.WORKFLOWS, key)
                        .flatMap(latest -> tx.find(
                                        Tables.WORKFLOW_VERSIONS,
                                        new Workflow.VersionKey(tenant, key.id(), latest.version()))
                                .map(version -> view(latest, "stored")
                                        .put("definition", version.definition())
                                        .build())))
                .map(json -> Response.json(200, json))
                .orElseThrow(() ->
                        new Refusal(Problem.of(ProblemCode.WORKFLOW_NOT_FOUND, "There is no workflow of this name.")));
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("after", "limit"));
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        String prefix = call.actor().tenant() + "/";
        var range = Range.keysStartingWith(Tables.WORKFLOWS, prefix)
                .after(query.string("after").map(prefix::concat));
        return Views.page(
                ports.store().read(tx -> Page.of(tx, range, limit)),
                latest -> view(latest, "stored").build());
    }

    private static JsonObject.Builder view(Workflow.Latest latest, String status) {
        return JsonObject.builder()
                .put("workflow_id", latest.id())
                .put("status", status)
                .put("version", latest.version())
                .put("hash", latest.hash());
    }
}
