package dev.nonbis.server.cli;

import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.core.audit.ExportVerifier;
import dev.nonbis.core.audit.ExportVerifier.Fault;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Feeds lines to a verifier, ends the command at the first broken event, and claims no more than was checked. */
final class AuditVerification {

    private final ExportVerifier verifier;
    private final Optional<PublicKeys> keys;
    private long lines;
    private long headSeq;
    private String headHash = "";

    AuditVerification(boolean range, Optional<PublicKeys> keys) {
        this.verifier = range ? ExportVerifier.ofRange(keys) : ExportVerifier.ofWholeLog(keys);
        this.keys = keys;
    }

    /** An event that must be met on the way. */
    void mustReach(long seq, String hash) {
        headSeq = seq;
        headHash = hash;
    }

    /** What was written beside an export, or a checkpoint by itself. */
    void mustFit(JsonObject promised) {
        var seal = AuditSeal.of(promised);
        check(seal.isPresent() ? verifier.mustFit(seal.get()) : verifier.mustPass(promised));
    }

    /** What a server promises about a log that may grow meanwhile. */
    void follow(AuditSeal seal) {
        seal.base().ifPresent(base -> check(verifier.startBehind(base)));
        check(verifier.mustPass(seal.checkpoint()));
    }

    void line(byte[] bytes) {
        lines++;
        var fault = verifier.line(bytes);
        if (fault.isPresent() && lines == 1) {
            throw new CommandFailed(
                    ExitCode.ERROR,
                    words(fault.get()),
                    "if the beginning was dropped, give the file that export --checkpoint wrote; if it was left out, give --range");
        }
        check(fault);
        var seen = verifier.summary();
        if (seen.seq() == headSeq && !seen.hash().equals(headHash)) {
            throw failed("the event at seq " + headSeq + " has another hash than the head");
        }
    }

    /** To be asked after the last line of a file: it may have no end, and a file without events proves nothing. */
    void mustBeWhole(String name, boolean endedWithinLine) {
        if (endedWithinLine) {
            throw failed("line " + lines + " is broken: it does not end with a line feed");
        }
        if (lines == 0) {
            throw new CommandFailed(
                    ExitCode.ERROR, name + " has no events, so that nothing was verified", "export the log again");
        }
    }

    void end() {
        if (verifier.summary().seq() < headSeq) {
            throw failed("the chain ends at seq " + verifier.summary().seq() + " but its head is at " + headSeq);
        }
        check(verifier.end());
    }

    void mustBeOf(String tenant) {
        var named = verifier.tenant();
        if (named.isEmpty()) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    "events do not name their tenant, so nothing here shows whose log it is",
                    "give a checkpoint of the log with --checkpoint");
        }
        if (!named.get().equals(tenant)) {
            throw failed("the log is that of tenant " + Report.visible(named.get()) + " and not of " + tenant);
        }
    }

    void mustEndWith(String hash) {
        if (!verifier.summary().hash().equals(hash)) {
            throw failed(
                    "the last event, seq " + verifier.summary().seq() + ", has another hash than the expected head");
        }
    }

    /** What a reader might think was checked, and was not. */
    List<String> notes() {
        var notes = new ArrayList<String>();
        var seen = verifier.summary();
        if (seen.events() == 0) {
            return notes;
        }
        if (seen.sealed() == 0) {
            notes.add("no checkpoint was given, so that a tail that was cut off would not be found; give --checkpoint");
        } else if (keys.isEmpty()) {
            notes.add("no signature was checked; give the public keys with --keys");
        }
        if (seen.sealed() > 0 && seen.sealed() < seen.seq()) {
            notes.add("the events behind seq " + seen.sealed() + " are chained and not under a checkpoint");
        }
        return notes;
    }

    String summary() {
        var seen = verifier.summary();
        if (seen.events() == 0) {
            return "the log has no events, so that nothing was verified";
        }
        return "verified " + seen.events() + (seen.events() == 1 ? " event" : " events")
                + verifier.tenant()
                        .map(tenant -> " of tenant " + Report.visible(tenant))
                        .orElse("")
                + (seen.first() > 1 ? " from seq " + seen.first() : "") + " up to seq " + seen.seq()
                + ", hash " + seen.hash() + (seen.redacted() == 0 ? "" : "; payloads redacted: " + seen.redacted())
                + (isSigned()
                        ? "; sealed and signed" + (seen.sealed() < seen.seq() ? " up to seq " + seen.sealed() : "")
                                + seen.sealedAt()
                                        .map(time -> " at " + Report.visible(time))
                                        .orElse("")
                        : "");
    }

    String json() {
        var seen = verifier.summary();
        var result = JsonObject.builder()
                .putString("tenant", verifier.tenant())
                .put("events", seen.events())
                .put("first_seq", seen.first())
                .put("seq", seen.seq())
                .put("hash", seen.hash())
                .put("redacted", seen.redacted())
                .put("sealed", seen.sealed())
                .putString("sealed_at", seen.sealedAt())
                .put("signed", isSigned())
                .build();
        return new String(Json.write(result), StandardCharsets.UTF_8);
    }

    private boolean isSigned() {
        return keys.isPresent() && verifier.summary().sealed() > 0;
    }

    private static void check(Optional<Fault> found) {
        found.ifPresent(fault -> {
            throw failed(words(fault));
        });
    }

    private static String words(Fault fault) {
        return fault.where() + " is broken: " + fault.reason();
    }

    private static CommandFailed failed(String what) {
        return new CommandFailed(
                ExitCode.ERROR, what, "keep this export and the store as they are, and compare with an earlier export");
    }
}
