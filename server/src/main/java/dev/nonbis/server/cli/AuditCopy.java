package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Copies a server's log, line by line, while the server goes on writing it, and ends the command when a part of it went missing. */
final class AuditCopy {

    private final NonbisClient client;
    private final Consumer<String> out;
    private Optional<String> after;
    private long first;
    private long last;
    // Events that were read without their payload, and whose redaction was not read yet.
    private final Set<String> untold = new HashSet<>();

    AuditCopy(NonbisClient client, Consumer<String> out, Optional<String> after) {
        this.client = client;
        this.out = out;
        this.after = after;
    }

    /** Every event behind a place, exactly as the server tells it, until the log ends or it was enough. */
    static void forEachEvent(NonbisClient client, Optional<String> start, Predicate<JsonObject> goOn) {
        var after = start;
        do {
            var page = client.audit(Query.ALL.and("after", after).and("limit", "500"));
            for (var item : object(page.answer().text())
                    .array("items")
                    .map(JsonArray::items)
                    .orElse(List.of())) {
                if (item instanceof JsonObject event && !goOn.test(event)) {
                    return;
                }
            }
            after = page.next();
        } while (after.isPresent());
    }

    /** What the server promises about what is sealed. */
    static AuditSeal seal(NonbisClient client) {
        return AuditSeal.of(object(client.auditSeal().text()))
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.ERROR,
                        "the server's answer is not a seal",
                        "use a command line of the server's version"));
    }

    /** All events that there are. */
    void all() {
        copy(Long.MAX_VALUE);
    }

    /**
     * All events up to a checkpoint that is made now. A payload that was redacted behind it would be missing without a word, so that then
     * another one is made.
     */
    AuditSeal sealed() {
        all();
        AuditSeal seal;
        do {
            client.sealCheckpoint();
            seal = seal(client);
            copy(seal.checkpoint().integer("seq").orElse(0L));
        } while (!untold.isEmpty());
        long dropped =
                seal.base().flatMap(base -> base.checkpoint().integer("seq")).orElse(0L);
        if (first != dropped + 1) {
            throw dropped();
        }
        return seal;
    }

    private void copy(long through) {
        forEachEvent(client, after, event -> {
            long seq = event.integer("seq").orElse(0L);
            if (seq > through) {
                return false;
            }
            if (last > 0 && seq != last + 1) {
                throw dropped();
            }
            first = first == 0 ? seq : first;
            last = seq;
            after = Optional.of(Long.toString(seq));
            note(event);
            out.accept(AuditSeal.line(event));
            return true;
        });
    }

    private void note(JsonObject event) {
        if (event.get("data").filter(JsonNull.class::isInstance).isPresent()) {
            event.string("id").ifPresent(untold::add);
        }
        if (event.string("type").equals(Optional.of("audit.redacted"))) {
            event.string("subject").ifPresent(untold::remove);
        }
    }

    private static CommandFailed dropped() {
        return new CommandFailed(
                ExitCode.ERROR,
                "events were dropped from the log while it was read",
                "throw this export away, and export again");
    }

    private static JsonObject object(String text) {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject json ? json : JsonObject.EMPTY;
    }
}
