package dev.nonbis.core.store;

import dev.nonbis.core.run.Workflow;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;

final class WorkflowCodec {

    private WorkflowCodec() {}

    static byte[] encodeLatest(Workflow.Latest latest) {
        return Json.write(JsonObject.builder()
                .put("id", latest.id())
                .put("version", latest.version())
                .put("hash", latest.hash())
                .build());
    }

    static Workflow.Latest decodeLatest(byte[] body) {
        var row = new Row(body);
        return new Workflow.Latest(row.string("id"), (int) row.integer("version"), row.string("hash"));
    }

    static byte[] encodeVersion(Workflow.Version version) {
        return Json.write(JsonObject.builder()
                .put("id", version.id())
                .put("version", version.version())
                .put("definition", version.definition())
                .build());
    }

    static Workflow.Version decodeVersion(byte[] body) {
        var row = new Row(body);
        return new Workflow.Version(row.string("id"), (int) row.integer("version"), row.object("definition"));
    }
}
