package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditEvent.Draft;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;

/** Three lines: the chained members, their digest, the data. */
final class AuditCodec {

    private AuditCodec() {}

    static byte[] encode(AuditEvent event) {
        return Lines.join(
                Json.write(event.chained()),
                event.hash().getBytes(StandardCharsets.US_ASCII),
                Json.write(event.draft().data()));
    }

    static AuditEvent decode(byte[] body) {
        var parts = Lines.split(body);
        var row = new Row(parts.get(0));
        JsonObject data = Row.object(parts.get(2));
        var draft = new Draft(
                Timestamps.parse(row.string("ts")),
                row.string("type"),
                row.string("actor"),
                row.string("subject"),
                row.json().string("request_hash"),
                row.json().string("policy_hash"),
                data);
        return new AuditEvent(
                row.integer("seq"),
                row.string("id"),
                draft,
                row.string("data_hash"),
                row.string("prev_hash"),
                new String(parts.get(1), StandardCharsets.US_ASCII));
    }
}
