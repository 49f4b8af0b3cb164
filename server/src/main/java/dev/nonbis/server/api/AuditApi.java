package dev.nonbis.server.api;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.Page;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.RedactEvent;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import java.util.Optional;
import java.util.Set;

/** The audit log over HTTP: what happened. What proves it is in {@link AuditProofsApi}. */
final class AuditApi {

    private final Ports ports;
    private final RedactEvent redactEvent;
    private final DropSegment dropSegment;

    AuditApi(Ports ports) {
        this.ports = ports;
        this.redactEvent = new RedactEvent(ports);
        this.dropSegment = new DropSegment(ports);
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("after", "limit"));
        long after = query.string("after").map(AuditApi::seq).orElse(0L);
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var tenant = call.actor().tenant();
        var found = ports.store().read(tx -> AuditLog.after(tx, tenant, after, limit, Page.MAX_BYTES));
        var next = Optional.of(found)
                .filter(AuditLog.Part::more)
                .map(part -> new JsonNumber(part.events().getLast().seq()));
        return Views.page(found.events(), Views::event, next);
    }

    Response head(Call call) {
        var head = ports.store()
                .read(tx -> tx.find(Tables.TENANTS, call.actor().tenant()))
                .orElse(TenantState.NEW)
                .audit();
        return Response.json(
                200,
                JsonObject.builder()
                        .put("seq", head.seq())
                        .put("hash", head.hash())
                        .put("ts", head.seq() == 0 ? JsonNull.NULL : new JsonString(Timestamps.format(head.at())))
                        .build());
    }

    Response redact(Call call) {
        var body = Body.object(call, Set.of("reason"));
        String reason = Limits.reason(body)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> Refusal.at("/reason", ProblemCode.MISSING_FIELD, "Say why the payload goes."));
        long seq = pathSeq(call);
        return switch (redactEvent.redact(call.actor(), seq, reason)) {
            case RedactEvent.Result.Redacted(var id) -> redacted(seq, id, "redacted");
            case RedactEvent.Result.AlreadyRedacted(var id) -> redacted(seq, id, "already_redacted");
            case RedactEvent.Result.NoSuchEvent() -> throw notFound();
        };
    }

    Response drop(Call call) {
        var body = Body.object(call, Set.of("through", "reason"));
        long through = body.integer("through", 1, Long.MAX_VALUE);
        String reason = Limits.reason(body)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> Refusal.at("/reason", ProblemCode.MISSING_FIELD, "Say why the events go."));
        return switch (dropSegment.drop(call.actor(), through, reason)) {
            case DropSegment.Result.Dropped(var seq) -> dropped(seq, "dropped");
            case DropSegment.Result.AlreadyDropped(var seq) -> dropped(seq, "already_dropped");
            case DropSegment.Result.NoCheckpointThere() ->
                throw Refusal.at("/through", ProblemCode.INVALID_FIELD, "Expected the seq of a checkpoint.");
        };
    }

    static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.AUDIT_EVENT_NOT_FOUND, "There is no such event."));
    }

    private static long pathSeq(Call call) {
        try {
            return Long.parseLong(call.request().pathParam("seq"));
        } catch (NumberFormatException notNumber) {
            throw notFound();
        }
    }

    private static Response redacted(long seq, String id, String status) {
        return Response.json(
                200,
                JsonObject.builder()
                        .put("status", status)
                        .put("seq", seq)
                        .put("event_id", id)
                        .build());
    }

    private static Response dropped(long through, String status) {
        return Response.json(
                200,
                JsonObject.builder()
                        .put("status", status)
                        .put("through", through)
                        .build());
    }

    private static long seq(String text) {
        try {
            long seq = Long.parseLong(text);
            if (seq >= 0) {
                return seq;
            }
        } catch (NumberFormatException notNumber) {
            // Refused below, like a negative one.
        }
        throw Query.invalid("after", "Expected the seq of an event.");
    }
}
