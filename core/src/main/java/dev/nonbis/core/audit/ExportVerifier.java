package dev.nonbis.core.audit;

import dev.nonbis.core.audit.AuditVerifier.Broken;
import dev.nonbis.core.audit.AuditVerifier.Intact;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks an export line by line, offline. Every byte counts: a line must be the canonical form of what it says, every event must follow
 * from the one before it, the last one must be the one that the checkpoint in the first line was signed for, with the same root over all
 * of them, and a payload may only be missing where the log itself tells that it was redacted.
 */
public final class ExportVerifier {

    private static final String REDACTED = "audit.redacted";

    private final Optional<PublicKeys> keys;
    private AuditVerifier chain = AuditVerifier.ofWholeChain();
    private MerkleFrontier tree = new MerkleFrontier();
    // Payloads that are missing and of which no later event has told so far: the event's id and where it is.
    private final Map<String, Long> untold = new LinkedHashMap<>();
    private JsonObject checkpoint = JsonObject.EMPTY;
    private long lines;
    private long events;
    private long redacted;
    private long seq;
    private String hash = AuditHead.NONE.hash();

    /** @param keys what checks the signatures; without them everything else is checked */
    public ExportVerifier(Optional<PublicKeys> keys) {
        this.keys = keys;
    }

    /** One that has seen what this one has. */
    public ExportVerifier copy() {
        var copy = new ExportVerifier(keys);
        copy.chain = chain.copy();
        copy.tree = tree.copy();
        copy.untold.putAll(untold);
        copy.checkpoint = checkpoint;
        copy.lines = lines;
        copy.events = events;
        copy.redacted = redacted;
        copy.seq = seq;
        copy.hash = hash;
        return copy;
    }

    /** What is wrong, and where first: an event, or the line that is none. */
    public record Fault(String where, String reason) {}

    /** What a whole export is worth. */
    public record Summary(long events, long seq, String hash, long redacted) {}

    /** Takes the next line, without its line break. */
    public Optional<Fault> line(byte[] bytes) {
        lines++;
        JsonObject line;
        try {
            if (!(Json.parse(bytes) instanceof JsonObject object)) {
                return fault("is not an object");
            }
            line = object;
        } catch (JsonRefused refused) {
            return fault("is not JSON: " + refused.getMessage());
        }
        if (!Arrays.equals(Json.canonical(line), bytes)) {
            return fault("is not in canonical form");
        }
        return lines == 1 ? header(line) : event(line);
    }

    /** To be asked after the last line. */
    public Optional<Fault> end() {
        if (lines == 0) {
            return Optional.of(new Fault("the export", "is empty"));
        }
        long sealedSeq = checkpoint.integer("seq").orElse(0L);
        if (seq != sealedSeq) {
            return Optional.of(new Fault(
                    "the export", "ends at seq " + seq + " but its checkpoint was signed for seq " + sealedSeq));
        }
        if (!checkpoint.string("hash").equals(Optional.of(hash))) {
            return Optional.of(new Fault("event at seq " + seq, "is not the one that the checkpoint was signed for"));
        }
        if (!checkpoint.string("root").equals(Optional.of(HexFormat.of().formatHex(tree.root())))) {
            return Optional.of(new Fault("the export", "has another root than its checkpoint"));
        }
        return untold.entrySet().stream()
                .findFirst()
                .map(missing -> new Fault(
                        "event " + missing.getKey() + " at seq " + missing.getValue(),
                        "has lost its payload, and no event tells that it was redacted"));
    }

    public Summary summary() {
        return new Summary(events, seq, hash, redacted);
    }

    private Optional<Fault> header(JsonObject line) {
        var export = AuditExport.of(line);
        if (export.isEmpty()) {
            return fault("does not begin an export with its checkpoint");
        }
        checkpoint = export.get().checkpoint();
        var wrong = signature(checkpoint);
        if (wrong.isPresent() || export.get().base().isEmpty()) {
            return wrong;
        }
        return base(export.get().base().get());
    }

    private Optional<Fault> base(AuditExport.Base base) {
        var from = base.checkpoint();
        var wrong = signature(from);
        if (wrong.isPresent()) {
            return wrong;
        }
        if (!from.string("tenant").equals(checkpoint.string("tenant"))) {
            return fault("has checkpoints of two tenants");
        }
        seq = from.integer("seq").orElse(0L);
        hash = from.string("hash").orElse("");
        var edge = MerkleFrontier.of(base.subtrees(), seq);
        if (edge.isEmpty()
                || !from.string("root")
                        .equals(Optional.of(HexFormat.of().formatHex(edge.get().root())))) {
            return fault("has subtrees that do not make up the root of the checkpoint it starts from");
        }
        tree = edge.get();
        chain = AuditVerifier.ofChainBehind(seq, hash);
        return Optional.empty();
    }

    private Optional<Fault> signature(JsonObject signed) {
        if (!signed.string("type").equals(Optional.of(Checkpoint.TYPE))) {
            return fault("has something else than a checkpoint");
        }
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        return switch (keys.get().check(signed)) {
            case GOOD -> Optional.empty();
            case NOT_SIGNED -> fault("has a checkpoint without signature");
            case UNKNOWN_KEY -> fault("has a checkpoint signed with a key that was not given");
            case BAD -> fault("has a checkpoint whose signature does not fit it");
        };
    }

    private Optional<Fault> event(JsonObject event) {
        switch (chain.next(event)) {
            case Broken broken -> {
                return Optional.of(new Fault("event " + broken.eventId() + " at seq " + broken.seq(), broken.reason()));
            }
            case Intact intact -> {
                if (!event.has("data")) {
                    return fault("is an event without a place for its payload");
                }
                events++;
                seq = intact.seq();
                hash = intact.hash();
                tree.add(MerkleHash.leaf(Json.canonical(AuditVerifier.chained(event))));
                redaction(event, intact.redacted());
                return Optional.empty();
            }
        }
    }

    private void redaction(JsonObject event, boolean payloadMissing) {
        if (payloadMissing) {
            redacted++;
            untold.put(event.string("id").orElse(""), seq);
        }
        if (event.string("type").equals(Optional.of(REDACTED))) {
            event.string("subject").ifPresent(untold::remove);
        }
    }

    private Optional<Fault> fault(String reason) {
        return Optional.of(new Fault("line " + lines, reason));
    }
}
