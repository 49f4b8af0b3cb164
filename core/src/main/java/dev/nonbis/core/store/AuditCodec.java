package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;

/** Of an event three lines: the digest, the chained members, the data. */
final class AuditCodec {

    private AuditCodec() {}

    static byte[] encode(AuditEvent event) {
        return Lines.join(event.hash().getBytes(StandardCharsets.US_ASCII), event.chained(), event.data());
    }

    static AuditEvent decode(byte[] body) {
        var parts = Lines.split(body);
        var row = new Row(parts.get(1));
        return new AuditEvent(
                row.integer("seq"),
                Timestamps.parse(row.string("ts")),
                new String(parts.get(0), StandardCharsets.US_ASCII),
                parts.get(1),
                parts.get(2));
    }

    static byte[] encodeTree(AuditTree tree) {
        return Json.write(JsonObject.builder()
                .put("size", tree.size())
                .put("sealed", Timestamps.micros(tree.sealedAt()))
                .put("dropped", tree.dropped())
                .build());
    }

    static AuditTree decodeTree(byte[] body) {
        var row = new Row(body);
        return new AuditTree(row.integer("size"), row.instant("sealed"), row.integer("dropped"));
    }
}
