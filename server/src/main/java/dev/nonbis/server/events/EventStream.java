package dev.nonbis.server.events;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One listener: writes what the log has behind a place, waits for more, and so on until somebody has had enough. */
final class EventStream {

    static final String CONTENT_TYPE = "text/event-stream";

    private static final int BATCH = 200;
    // Of the log, in one look: every listener may read at the same time, or hold what it cannot send yet.
    private static final int BATCH_BYTES = 64 * 1024;
    // What any known caller may see; the data stays with those who may read the log.
    private static final List<String> SHOWN = List.of("seq", "id", "ts", "type", "actor", "subject");

    private final Store store;
    private final TenantId tenant;
    private final News news;
    private final EventStreams.Pace pace;

    EventStream(Store store, TenantId tenant, News news, EventStreams.Pace pace) {
        this.store = store;
        this.tenant = tenant;
        this.news = news;
        this.pace = pace;
    }

    /** What there is behind a place. */
    private record Found(long dropped, AuditLog.Part part) {

        List<AuditEvent> events() {
            return part.events();
        }
    }

    void run(long after, OutputStream out) throws IOException {
        long start = System.nanoTime();
        long wrote = start;
        long last = after;
        write(out, "retry: 2000\n\n");
        try {
            boolean goOn = true;
            while (goOn && System.nanoTime() - start < pace.lifetime().toNanos()) {
                long seen = news.soFar();
                var found = look(last);
                if (found.dropped() > last) {
                    write(out, gap(last, found.dropped()));
                    last = found.dropped();
                    wrote = System.nanoTime();
                }
                if (!found.events().isEmpty()) {
                    write(out, text(found.events()));
                    last = found.events().getLast().seq();
                    wrote = System.nanoTime();
                } else if (System.nanoTime() - wrote >= pace.beat().toNanos()) {
                    write(out, ": nothing new\n\n");
                    wrote = System.nanoTime();
                } else {
                    // Nothing is sent, but a listener that has left is noticed.
                    out.flush();
                }
                goOn = found.part().more()
                        || (news.pause(pace.between().toNanos())
                                && news.await(seen, pace.look().toNanos()));
            }
        } catch (StoreUnavailable away) {
            // The client comes back with the last id that it has seen.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Found look(long last) {
        return store.read(tx -> {
            long dropped =
                    tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY).dropped();
            return new Found(dropped, AuditLog.after(tx, tenant, last, BATCH, BATCH_BYTES));
        });
    }

    // Without a name of its own for each type, so that a browser's onmessage hears them all.
    private static String text(List<AuditEvent> events) {
        var text = new StringBuilder();
        for (var event : events) {
            var shown = shown(event);
            text.append("id: ").append(event.seq());
            text.append("\ndata: ").append(json(shown)).append("\n\n");
        }
        return text.toString();
    }

    /** Says plainly that what lay between was let go, so that nobody takes the rest for all. */
    private static String gap(long from, long to) {
        var told = JsonObject.builder().put("after", from).put("through", to).build();
        return "id: " + to + "\nevent: gap\ndata: " + json(told) + "\n\n";
    }

    private static JsonObject shown(AuditEvent event) {
        var shown = JsonObject.builder();
        if (Json.parse(event.chained()) instanceof JsonObject chained) {
            SHOWN.forEach(name -> shown.putValue(name, chained.get(name)));
        }
        return shown.build();
    }

    private static String json(JsonObject object) {
        return new String(Json.write(object), StandardCharsets.UTF_8);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
