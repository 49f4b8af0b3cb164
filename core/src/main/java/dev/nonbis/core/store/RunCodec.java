package dev.nonbis.core.store;

import dev.nonbis.core.identity.RunId;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.identity.Trace;
import dev.nonbis.core.run.Run;
import dev.nonbis.core.run.Run.Origin;
import dev.nonbis.core.run.RunState;
import dev.nonbis.core.run.StepState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is told of the run, and its story. */
final class RunCodec {

    private RunCodec() {}

    static byte[] encode(Run run) {
        var steps = JsonObject.builder();
        run.steps().forEach((id, state) -> steps.put(id, state.name()));
        var json = new JsonText()
                .put("id", run.id().value())
                .put("tenant", run.tenant().value())
                .put("state", run.state().name())
                .put("workflow", run.origin().workflow())
                .put("version", run.origin().version())
                .put("started_by", run.origin().startedBy())
                .put("trace", run.origin().trace().text())
                .put("request_hash", run.origin().requestHash())
                .put("created", Timestamps.micros(run.origin().createdAt()))
                .put("steps", steps.build());
        run.endedAt().ifPresent(at -> json.put("ended", Timestamps.micros(at)));
        byte[] facts = json.end();
        var row = new Packer(2 * facts.length).bytes(facts);
        TimelineCodec.put(row, run.origin().createdAt(), run.duplicates(), run.timeline());
        return row.end();
    }

    static Run decode(byte[] body) {
        var packed = new Unpacker(body);
        var row = new Row(packed.bytes());
        var origin = new Origin(
                row.string("workflow"),
                (int) row.integer("version"),
                row.string("started_by"),
                Trace.ofText(row.string("trace")),
                row.string("request_hash"),
                row.instant("created"));
        return new Run(
                new RunId(row.string("id")),
                new TenantId(row.string("tenant")),
                origin,
                RunState.valueOf(row.string("state")),
                steps(row.object("steps")),
                row.time("ended"),
                TimelineCodec.duplicates(packed),
                TimelineCodec.timeline(packed, origin.createdAt()));
    }

    private static Map<String, StepState> steps(JsonObject json) {
        var steps = new LinkedHashMap<String, StepState>();
        json.members().forEach((id, value) -> {
            if (value instanceof JsonString state) {
                steps.put(id, StepState.valueOf(state.value()));
            }
        });
        return steps;
    }
}
