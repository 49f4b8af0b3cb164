package dev.nonbis.server.cli;

import dev.nonbis.core.audit.AuditVerifier;
import dev.nonbis.core.audit.AuditVerifier.Broken;
import dev.nonbis.core.audit.AuditVerifier.Intact;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import java.nio.charset.StandardCharsets;

/** Feeds lines to the verifier and ends the command at the first broken event. */
final class AuditVerification {

    private final AuditVerifier verifier;
    private long lines;
    private long events;
    private long redacted;
    private long lastSeq;
    private String lastHash = "0".repeat(64);
    private long headSeq;
    private String headHash = "";

    AuditVerification(boolean range) {
        this.verifier = range ? AuditVerifier.ofRange() : AuditVerifier.ofWholeChain();
    }

    /** An event that must be met on the way, so that a chain with its end cut off does not pass. */
    void mustPass(long seq, String hash) {
        headSeq = seq;
        headHash = hash;
    }

    void line(String text) {
        lines++;
        if (text.isBlank()) {
            return;
        }
        switch (verifier.next(event(text))) {
            case Intact intact -> count(intact);
            case Broken broken ->
                throw failed(
                        "event " + broken.eventId() + " at seq " + broken.seq() + " is broken: " + broken.reason());
        }
    }

    void end() {
        if (lastSeq < headSeq) {
            throw failed("the chain ends at seq " + lastSeq + " but its head is at " + headSeq);
        }
    }

    void mustEndWith(String hash) {
        if (!lastHash.equals(hash)) {
            throw failed("the last event, seq " + lastSeq + ", has another hash than the expected head");
        }
    }

    String summary() {
        return "verified " + events + (events == 1 ? " event" : " events") + " up to seq " + lastSeq + ", hash "
                + lastHash + (redacted == 0 ? "" : "; payloads redacted: " + redacted);
    }

    String json() {
        var result = JsonObject.builder()
                .put("events", events)
                .put("seq", lastSeq)
                .put("hash", lastHash)
                .put("redacted", redacted)
                .build();
        return new String(Json.write(result), StandardCharsets.UTF_8);
    }

    private JsonObject event(String text) {
        try {
            if (Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject event) {
                return event;
            }
            throw failed("line " + lines + " is not an event");
        } catch (JsonRefused e) {
            throw failed("line " + lines + " is not an event: " + e.getMessage());
        }
    }

    private void count(Intact intact) {
        events++;
        redacted += intact.redacted() ? 1 : 0;
        lastSeq = intact.seq();
        lastHash = intact.hash();
        if (lastSeq == headSeq && !lastHash.equals(headHash)) {
            throw failed("the event at seq " + lastSeq + " has another hash than the head");
        }
    }

    private static CommandFailed failed(String what) {
        return new CommandFailed(
                ExitCode.ERROR, what, "keep this export and the store as they are, and compare with an earlier export");
    }
}
