package dev.nonbis.server.api;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Response;
import java.util.Optional;
import java.util.Set;

/** The audit log over HTTP. */
final class AuditApi {

    private final Ports ports;

    AuditApi(Ports ports) {
        this.ports = ports;
    }

    Response list(Call call) {
        var query = Query.of(call, Set.of("after", "limit"));
        long after = query.string("after").map(AuditApi::seq).orElse(0L);
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var tenant = call.actor().tenant();
        var range = Range.keysStartingWith(Tables.AUDIT, tenant + "/")
                .after(Optional.of(
                        Tables.AUDIT.row(new AuditEvent.Key(tenant, after)).key()))
                .limit(limit + 1);
        var found = ports.store().read(tx -> tx.scan(range));
        var items = found.stream()
                .limit(limit)
                .<JsonValue>map(hit -> Views.event(hit.row()))
                .toList();
        JsonValue next =
                found.size() > limit ? new JsonNumber(found.get(limit - 1).row().seq()) : JsonNull.NULL;
        return Response.json(
                200,
                JsonObject.builder()
                        .put("items", new JsonArray(items))
                        .put("next", next)
                        .build());
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
