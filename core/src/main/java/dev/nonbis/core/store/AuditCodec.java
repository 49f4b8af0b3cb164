package dev.nonbis.core.store;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.store.Form.Filled;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of each event the digest, what stands in the slots of its chained members, and the data. What is as it was in the event before on the same
 * page is not told again.
 */
final class AuditCodec {

    private static final String ACTOR = "{\"actor\":\"";
    private static final String DATA_HASH = "\",\"data_hash\":\"";
    private static final String ID = "\",\"id\":\"";
    private static final String POLICY_HASH = "\",\"policy_hash\":\"";
    private static final String PREV_HASH = "\",\"prev_hash\":\"";
    private static final String REQUEST_HASH = "\",\"request_hash\":\"";
    private static final String SEQ = "\",\"seq\":";
    private static final String SUBJECT = ",\"subject\":\"";
    private static final String TS = "\",\"ts\":\"";
    private static final String TYPE = "\",\"type\":\"";
    private static final String END = "\"}";

    // Inside a text a quote has a backslash before it, so that no text has the beginning of a member in it.
    private static final List<Form> CHAINED = List.of(
            new Form(ACTOR, DATA_HASH, ID, POLICY_HASH, PREV_HASH, REQUEST_HASH, SEQ, SUBJECT, TS, TYPE, END),
            new Form(ACTOR, DATA_HASH, ID, POLICY_HASH, PREV_HASH, SEQ, SUBJECT, TS, TYPE, END),
            new Form(ACTOR, DATA_HASH, ID, PREV_HASH, REQUEST_HASH, SEQ, SUBJECT, TS, TYPE, END),
            new Form(ACTOR, DATA_HASH, ID, PREV_HASH, SEQ, SUBJECT, TS, TYPE, END));

    private static final int SEQ_FROM_LAST = 4;
    private static final int TS_FROM_LAST = 2;
    // Those of a full page of submissions, so that few have to grow.
    private static final int USUAL_BYTES = 1536;

    private AuditCodec() {}

    static byte[] encode(AuditPage page) {
        var row = new Packer(USUAL_BYTES);
        put(row, page);
        return row.end();
    }

    static AuditPage decode(byte[] body) {
        return page(new Unpacker(body));
    }

    static void put(Packer row, AuditPage page) {
        row.number(page.events().size());
        Written before = null;
        for (var event : page.events()) {
            var filled = Form.filled(CHAINED, event.chained(), before == null ? 0 : before.filled.form())
                    .orElseThrow(() -> new IllegalStateException("an event of no known form"));
            var next = new Written(event, filled);
            put(row, next, before);
            before = next;
        }
    }

    static AuditPage page(Unpacker row) {
        int count = row.count();
        var events = new ArrayList<AuditEvent>(count);
        Written before = null;
        for (int i = 0; i < count; i++) {
            before = get(row, before);
            events.add(before.event);
        }
        return new AuditPage(events);
    }

    private static void put(Packer row, Written next, @Nullable Written before) {
        var event = next.event;
        boolean sameData = before != null && Arrays.equals(event.data(), before.event.data());
        row.text(event.hash())
                .number(next.filled.form())
                .slots(next.filled.slots(), slots(before, next.filled.form()), hash(before))
                .flag(sameData);
        if (!sameData) {
            row.bytes(event.data());
        }
    }

    private static Written get(Unpacker row, @Nullable Written before) {
        var hash = row.text();
        int form = (int) row.number();
        var slots = row.slots(CHAINED.get(form), slots(before, form), hash(before));
        byte[] data = row.flag() && before != null ? before.event.data() : row.bytes();
        var event = new AuditEvent(
                Long.parseLong(slots.value(slots.count() - SEQ_FROM_LAST)),
                Timestamps.parse(slots.value(slots.count() - TS_FROM_LAST)),
                hash,
                slots.text(),
                data);
        return new Written(event, new Filled(form, slots));
    }

    /** An event and what stands in its slots. */
    private record Written(AuditEvent event, Filled filled) {}

    private static Form.@Nullable Slots slots(@Nullable Written before, int form) {
        return before == null || before.filled.form() != form ? null : before.filled.slots();
    }

    // Each event names the digest of the one before.
    private static byte[] hash(@Nullable Written before) {
        return before == null ? Packer.nothing() : before.event.hash().getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] encodeTree(AuditTree tree) {
        return Json.write(JsonObject.builder()
                .put("size", tree.size())
                .put("dropped", tree.dropped())
                .put("removed", tree.removed())
                .build());
    }

    static AuditTree decodeTree(byte[] body) {
        var row = new Row(body);
        return new AuditTree(row.integer("size"), row.integer("dropped"), row.integer("removed"));
    }
}
