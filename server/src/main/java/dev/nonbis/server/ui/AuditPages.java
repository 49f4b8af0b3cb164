package dev.nonbis.server.ui;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.core.audit.AuditTree;
import dev.nonbis.core.audit.AuditVerifier;
import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.operation.Page;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The audit log: its head, its last checkpoint, its events, a check of its end, and a file to take away. */
public final class AuditPages {

    private static final Pages.Page LIST = new Pages.Page("audit.jte", "Audit", "audit");
    private static final int PAGE = 50;
    private static final int CHECKED = 2000;
    private static final String EXPORTED = "500";

    private final Api api;
    private final Pages pages;
    private final Sessions sessions;
    private final Ports ports;

    AuditPages(Api api, Pages pages, Sessions sessions, Ports ports) {
        this.api = api;
        this.pages = pages;
        this.sessions = sessions;
        this.ports = ports;
    }

    /** One event. */
    public record Row(
            long seq,
            String at,
            String type,
            String actor,
            String subject,
            String hash,
            boolean redacted,
            List<Entry.Fact> data) {

        public boolean hasPage() {
            return subject.startsWith("job_") || subject.startsWith("run_") || subject.startsWith("pay_");
        }
    }

    /** The end of the chain. */
    public record Head(long seq, String hash, String at) {}

    /** What was last signed. */
    public record Sealed(long seq, String root, String time, String key) {}

    /** A page of the log, newest first. */
    public record Log(Head head, Optional<Sealed> sealed, long dropped, List<Row> rows, Optional<Long> next) {}

    Response list(Visit visit) {
        var head = api.get(visit, "/api/v1/audit/head");
        if (!head.isGood()) {
            return pages.show(
                    visit,
                    new Pages.Page("trouble.jte", "Audit", "audit"),
                    head.status(),
                    new Guard.Trouble("Not yours to see", head.why(), "forbidden"));
        }
        var before = visit.query("before").flatMap(AuditPages::number);
        var tenant = visit.tenant();
        return ports.store().read(tx -> {
            var tree = tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
            var part = AuditLog.before(tx, tenant, before, PAGE);
            var rows = part.events().stream().map(AuditPages::row).toList();
            var sealed = tx.find(Tables.AUDIT_CHECKPOINTS, new Checkpoint.Key(tenant, tree.size()))
                    .map(AuditPages::sealed);
            var next = part.more() ? Optional.of(rows.getLast().seq()) : Optional.<Long>empty();
            return pages.show(visit, LIST, new Log(head(head.json()), sealed, tree.dropped(), rows, next));
        });
    }

    /** Checks the end of the chain and the last signature; a whole log is checked with the command line. */
    Response verify(Visit visit, Form form) {
        var head = api.get(visit, "/api/v1/audit/head");
        var told = head.isGood() ? verified(visit.tenant()) : Told.bad(head.why());
        return sessions.telling(told, Pages.redirect("/audit"));
    }

    private Told verified(TenantId tenant) {
        return ports.store().read(tx -> {
            long last = tx.find(Tables.TENANTS, tenant)
                    .orElse(TenantState.NEW)
                    .audit()
                    .seq();
            var tree = tx.find(Tables.AUDIT_TREES, tenant).orElse(AuditTree.EMPTY);
            long from = Math.max(Math.max(0, last - CHECKED), tree.dropped());
            var verifier = from == 0 ? AuditVerifier.ofWholeChain() : AuditVerifier.ofRange();
            long checked = from;
            boolean more = true;
            while (more) {
                var part = AuditLog.after(tx, tenant, checked, CHECKED, Page.MAX_BYTES);
                for (var event : part.events()) {
                    checked = event.seq();
                    if (verifier.next(json(event)) instanceof AuditVerifier.Broken broken) {
                        return Told.bad(
                                "Event " + broken.seq() + " (" + broken.eventId() + ") is broken: " + broken.reason());
                    }
                }
                more = part.more() && checked < from + CHECKED;
            }
            var checkpoint = tx.find(Tables.AUDIT_CHECKPOINTS, new Checkpoint.Key(tenant, tree.size()));
            var signature = checkpoint.map(signed -> ports.signer().publicKeys().check(signed));
            if (signature.isPresent() && signature.get() != PublicKeys.Finding.GOOD) {
                return Told.bad("The signature of the checkpoint at " + tree.size() + " is " + signature.get() + ".");
            }
            return Told.good("Events " + (from + 1) + " to " + checked + " follow from each other"
                    + (checkpoint.isPresent()
                            ? ", and the checkpoint at " + tree.size() + " is signed by this server."
                            : "."));
        });
    }

    /** The same lines that {@code nonbis audit export} prints up to the last checkpoint, written while they are read. */
    Response export(Visit visit, Form form) {
        api.post(visit, "/api/v1/audit/checkpoints", JsonObject.EMPTY);
        var seal = api.get(visit, "/api/v1/audit/seal");
        if (!seal.isGood()) {
            return sessions.telling(Told.bad("There is nothing to export. " + seal.why()), Pages.redirect("/audit"));
        }
        long last = seal.json()
                .object("checkpoint")
                .flatMap(checkpoint -> checkpoint.integer("seq"))
                .orElse(0L);
        String name = "nonbis-audit-" + visit.tenant() + "-" + last + ".jsonl";
        return Response.streamed("application/jsonl", out -> write(visit, last, out))
                .with("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .with("Cache-Control", "no-store");
    }

    private void write(Visit visit, long last, OutputStream out) throws IOException {
        long after = 0;
        while (after < last) {
            var events = api.get(visit, "/api/v1/audit", Map.of("after", Long.toString(after), "limit", EXPORTED))
                    .items();
            if (events.isEmpty()) {
                return;
            }
            for (var event : events) {
                after = event.integer("seq").orElse(last);
                if (after <= last) {
                    line(out, event);
                }
            }
            out.flush();
        }
    }

    private static void line(OutputStream out, JsonObject object) throws IOException {
        out.write((AuditSeal.line(object) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException notNumber) {
            return Optional.empty();
        }
    }

    private static JsonObject json(AuditEvent event) {
        var json = JsonObject.builder();
        if (Json.parse(event.chained()) instanceof JsonObject chained) {
            chained.members().forEach(json::put);
        }
        json.put("hash", event.hash());
        if (!event.isRedacted()) {
            json.put("data", Json.parse(event.data()));
        }
        return json.build();
    }

    static Row row(AuditEvent event) {
        var json = json(event);
        return new Row(
                event.seq(),
                json.string("ts").orElse(""),
                json.string("type").orElse(""),
                json.string("actor").orElse(""),
                json.string("subject").orElse(""),
                event.hash(),
                event.isRedacted(),
                json.object("data").map(Entry::facts).orElse(List.of()));
    }

    private static Head head(JsonObject json) {
        return new Head(
                json.integer("seq").orElse(0L),
                json.string("hash").orElse(""),
                json.string("ts").orElse(""));
    }

    private static Sealed sealed(JsonObject json) {
        return new Sealed(
                json.integer("seq").orElse(0L),
                json.string("root").orElse(""),
                json.string("time").orElse(""),
                json.string("key_id").orElse(""));
    }
}
