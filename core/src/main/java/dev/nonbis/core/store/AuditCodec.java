package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Of an event three lines: the digest, the chained members, the data. */
final class AuditCodec {

    private static final byte[] SEQ = ",\"seq\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TS = ",\"ts\":\"".getBytes(StandardCharsets.US_ASCII);

    private AuditCodec() {}

    static byte[] encode(AuditEvent event) {
        return Lines.join(event.hash().getBytes(StandardCharsets.US_ASCII), event.chained(), event.data());
    }

    /** Every event is read once more when it is sealed, so that this looks for two members instead of parsing them all. */
    static AuditEvent decode(byte[] body) {
        var parts = Lines.split(body);
        byte[] chained = parts.get(1);
        int seq = behind(SEQ, chained, 0);
        int ts = behind(TS, chained, seq);
        return new AuditEvent(
                Long.parseLong(upTo(',', chained, seq)),
                Timestamps.parse(upTo('"', chained, ts)),
                new String(parts.get(0), StandardCharsets.US_ASCII),
                chained,
                parts.get(2));
    }

    /** Where a member's value begins. Inside a text a quote has a backslash before it, so that a name is met nowhere else. */
    private static int behind(byte[] name, byte[] chained, int from) {
        for (int at = from; at + name.length <= chained.length; at++) {
            if (Arrays.equals(name, 0, name.length, chained, at, at + name.length)) {
                return at + name.length;
            }
        }
        throw new IllegalStateException("an event without " + new String(name, StandardCharsets.US_ASCII));
    }

    private static String upTo(char end, byte[] chained, int from) {
        int at = from;
        while (chained[at] != end) {
            at++;
        }
        return new String(chained, from, at - from, StandardCharsets.US_ASCII);
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
