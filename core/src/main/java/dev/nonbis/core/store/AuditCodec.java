package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Of each event three lines: the digest, the chained members, the data. */
final class AuditCodec {

    private static final byte[] SEQ = ",\"seq\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TS = ",\"ts\":\"".getBytes(StandardCharsets.US_ASCII);

    private static final int LINES = 3;

    private AuditCodec() {}

    static byte[] encode(AuditPage page) {
        return Lines.join(lines(page, 0));
    }

    static AuditPage decode(byte[] body) {
        return page(Lines.split(body));
    }

    /** A line, and the events behind it. */
    static byte[] join(byte[] first, AuditPage page) {
        byte[][] lines = lines(page, 1);
        lines[0] = first;
        return Lines.join(lines);
    }

    private static byte[][] lines(AuditPage page, int from) {
        byte[][] lines = new byte[from + page.events().size() * LINES][];
        int at = from;
        for (var event : page.events()) {
            lines[at++] = event.hash().getBytes(StandardCharsets.US_ASCII);
            lines[at++] = event.chained();
            lines[at++] = event.data();
        }
        return lines;
    }

    static AuditPage page(List<byte[]> lines) {
        var events = new ArrayList<AuditEvent>(lines.size() / LINES);
        for (int i = 0; i + LINES <= lines.size(); i += LINES) {
            events.add(event(lines.get(i), lines.get(i + 1), lines.get(i + 2)));
        }
        return new AuditPage(events);
    }

    /** Every event is read once more when it is sealed, so that this looks for two members instead of parsing them all. */
    private static AuditEvent event(byte[] hash, byte[] chained, byte[] data) {
        int ts = behind(TS, chained, chained.length);
        int seq = behind(SEQ, chained, ts);
        return new AuditEvent(
                Long.parseLong(upTo(',', chained, seq)),
                Timestamps.parse(upTo('"', chained, ts)),
                new String(hash, StandardCharsets.US_ASCII),
                chained,
                data);
    }

    /**
     * Where a member's value begins, looked for from an end backwards, because both stand near it. Inside a text a quote has a backslash
     * before it, so that a name is met nowhere else.
     */
    private static int behind(byte[] name, byte[] chained, int end) {
        for (int at = end - name.length; at >= 0; at--) {
            if (chained[at] == ',' && Arrays.equals(name, 0, name.length, chained, at, at + name.length)) {
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
