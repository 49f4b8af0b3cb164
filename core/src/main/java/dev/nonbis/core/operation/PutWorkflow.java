package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.run.CountedExpressions;
import dev.nonbis.core.run.Workflow;
import dev.nonbis.core.run.WorkflowParser;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores a workflow as a new version, unless its newest version is the same. */
public final class PutWorkflow {

    private final Ports ports;

    public PutWorkflow(Ports ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Result {

        record Stored(Workflow.Latest latest) implements Result {}

        record Unchanged(Workflow.Latest latest) implements Result {}

        record Invalid(String pointer, String why) implements Result {}
    }

    public Result put(Actor actor, String id, JsonObject definition) {
        var parser = new WorkflowParser(new CountedExpressions(ports.expressions()));
        return switch (ports.expressions().queued(actor.tenant(), () -> parser.parse(definition))) {
            case WorkflowParser.Result.Invalid(var pointer, var why) -> new Result.Invalid(pointer, why);
            case WorkflowParser.Result.Valid valid -> store(actor, id, definition);
        };
    }

    private Result store(Actor actor, String id, JsonObject definition) {
        Instant now = ports.clock().instant();
        String hash = Sha256.hex(Json.canonical(definition));
        var key = new Workflow.Key(actor.tenant(), id);
        return ports.store().transact(List.of(Tables.WORKFLOWS.row(key), Tables.TENANTS.row(actor.tenant())), tx -> {
            var before = tx.find(Tables.WORKFLOWS, key);
            if (before.isPresent() && before.get().hash().equals(hash)) {
                return new Result.Unchanged(before.get());
            }
            int version = before.map(Workflow.Latest::version).orElse(0) + 1;
            var latest = new Workflow.Latest(id, version, hash);
            tx.put(Tables.WORKFLOWS, key, latest);
            tx.insert(
                    Tables.WORKFLOW_VERSIONS,
                    new Workflow.VersionKey(actor.tenant(), id, version),
                    new Workflow.Version(id, version, definition));
            Audit.append(
                    tx,
                    actor.tenant(),
                    new AuditEvent.Draft(
                            now,
                            "workflow.put",
                            actor.subject(),
                            id,
                            Optional.of(hash),
                            Optional.empty(),
                            JsonObject.builder().put("version", version).build()));
            return new Result.Stored(latest);
        });
    }
}
