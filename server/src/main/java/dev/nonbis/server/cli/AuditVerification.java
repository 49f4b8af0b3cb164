package dev.nonbis.server.cli;

import dev.nonbis.core.audit.AuditExport;
import dev.nonbis.core.audit.AuditVerifier;
import dev.nonbis.core.audit.AuditVerifier.Broken;
import dev.nonbis.core.audit.AuditVerifier.Intact;
import dev.nonbis.core.audit.ExportVerifier;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Feeds lines to a verifier and ends the command at the first broken event. An export that begins with its checkpoint is checked to the
 * byte; events alone are checked as a chain, unless keys were given: then there must be something that they can check.
 */
final class AuditVerification {

    private final AuditVerifier chain;
    private final ExportVerifier export;
    private final Optional<PublicKeys> keys;
    private boolean sealed;
    private long lines;
    private long events;
    private long redacted;
    private long lastSeq;
    private String lastHash = "0".repeat(64);
    private long knownSeq;
    private String knownHash = "";

    AuditVerification(boolean range, Optional<PublicKeys> keys) {
        this.chain = range ? AuditVerifier.ofRange() : AuditVerifier.ofWholeChain();
        this.export = new ExportVerifier(keys);
        this.keys = keys;
    }

    /** An event that must be met on the way, so that a chain with its end cut off does not pass. */
    void mustPass(long seq, String hash) {
        knownSeq = seq;
        knownHash = hash;
    }

    /** A checkpoint from elsewhere, which must be a good one itself. */
    void mustPass(JsonObject checkpoint) {
        if (keys.isPresent() && keys.get().check(checkpoint) != PublicKeys.Finding.GOOD) {
            throw failed("the checkpoint to compare with is not signed with one of the keys");
        }
        mustPass(checkpoint.integer("seq").orElse(0L), checkpoint.string("hash").orElse(""));
    }

    void line(byte[] bytes) {
        lines++;
        if (lines == 1) {
            sealed = keys.isPresent() || isHeader(bytes);
        }
        if (sealed) {
            export.line(bytes).ifPresent(fault -> {
                throw failed(fault.where() + " is broken: " + fault.reason());
            });
            var summary = export.summary();
            events = summary.events();
            redacted = summary.redacted();
            passed(summary.seq(), summary.hash());
        } else if (bytes.length > 0) {
            chained(bytes);
        }
    }

    /** The last line had no end. */
    void cutOff() {
        if (sealed) {
            throw failed("line " + lines + " is broken: it does not end with a line feed");
        }
    }

    void end() {
        if (lastSeq < knownSeq) {
            throw failed("the chain ends at seq " + lastSeq + " but its head is at " + knownSeq);
        }
        if (sealed) {
            export.end().ifPresent(fault -> {
                throw failed(fault.where() + " is broken: " + fault.reason());
            });
        }
    }

    void mustEndWith(String hash) {
        if (!lastHash.equals(hash)) {
            throw failed("the last event, seq " + lastSeq + ", has another hash than the expected head");
        }
    }

    boolean signatureUnchecked() {
        return keys.isEmpty();
    }

    String summary() {
        return "verified " + events + (events == 1 ? " event" : " events") + " up to seq " + lastSeq + ", hash "
                + lastHash + (redacted == 0 ? "" : "; payloads redacted: " + redacted)
                + (sealed && keys.isPresent() ? "; sealed and signed" : "");
    }

    String json() {
        var result = JsonObject.builder()
                .put("events", events)
                .put("seq", lastSeq)
                .put("hash", lastHash)
                .put("redacted", redacted)
                .put("signed", sealed && keys.isPresent())
                .build();
        return new String(Json.write(result), StandardCharsets.UTF_8);
    }

    private void chained(byte[] bytes) {
        switch (chain.next(object(bytes))) {
            case Intact intact -> {
                events++;
                redacted += intact.redacted() ? 1 : 0;
                passed(intact.seq(), intact.hash());
            }
            case Broken broken ->
                throw failed(
                        "event " + broken.eventId() + " at seq " + broken.seq() + " is broken: " + broken.reason());
        }
    }

    private void passed(long seq, String hash) {
        lastSeq = seq;
        lastHash = hash;
        if (seq == knownSeq && seq > 0 && !hash.equals(knownHash)) {
            throw failed("the event at seq " + seq + " has another hash than the head");
        }
    }

    private static boolean isHeader(byte[] bytes) {
        try {
            return Json.parse(bytes) instanceof JsonObject line && AuditExport.isHeader(line);
        } catch (JsonRefused e) {
            return false;
        }
    }

    private JsonObject object(byte[] bytes) {
        try {
            if (Json.parse(bytes) instanceof JsonObject event) {
                return event;
            }
            throw failed("line " + lines + " is not an event");
        } catch (JsonRefused e) {
            throw failed("line " + lines + " is not an event: " + e.getMessage());
        }
    }

    private static CommandFailed failed(String what) {
        return new CommandFailed(
                ExitCode.ERROR, what, "keep this export and the store as they are, and compare with an earlier export");
    }
}
