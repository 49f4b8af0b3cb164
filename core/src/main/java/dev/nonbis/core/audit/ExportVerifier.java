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
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks an export line by line, offline. Every byte counts: a line must be the canonical form of an event, every event must follow from
 * the one before it, and a payload may only be missing where the log itself tells that it was redacted. What must be there besides is
 * told before the first line: the checkpoints that the log has to pass, and the one that it has to end at.
 */
public final class ExportVerifier {

    private static final String REDACTED = "audit.redacted";
    private static final String SEGMENT_DROPPED = "audit.segment_dropped";

    private final Optional<PublicKeys> keys;
    private AuditVerifier chain;
    // Absent when the events may start anywhere: without what came before there is no tree.
    private Optional<MerkleFrontier> tree;
    private final NavigableMap<Long, JsonObject> ahead = new TreeMap<>();
    // Payloads that are missing and of which no later event has told so far: the event's id and where it is.
    private final Map<String, Long> untold = new LinkedHashMap<>();
    // The last event that a seal says was dropped, until an event of the log says so too.
    private Optional<Long> unexplainedBase = Optional.empty();
    private final boolean anyStart;
    private Optional<String> tenant = Optional.empty();
    private Optional<Long> end = Optional.empty();
    private long lines;
    private Summary seen = Summary.BEFORE_THE_FIRST;

    private ExportVerifier(
            Optional<PublicKeys> keys, boolean anyStart, AuditVerifier chain, Optional<MerkleFrontier> tree) {
        this.keys = keys;
        this.anyStart = anyStart;
        this.chain = chain;
        this.tree = tree;
    }

    /**
     * The first event must be the log's first, or the first behind the base of a seal.
     *
     * @param keys what checks the signatures; without them everything else is checked
     */
    public static ExportVerifier ofWholeLog(Optional<PublicKeys> keys) {
        return new ExportVerifier(keys, false, AuditVerifier.ofWholeChain(), Optional.of(new MerkleFrontier()));
    }

    /** The first event may be any; what came before it is taken on trust. */
    public static ExportVerifier ofRange(Optional<PublicKeys> keys) {
        return new ExportVerifier(keys, true, AuditVerifier.ofRange(), Optional.empty());
    }

    /** One that has seen what this one has. */
    public ExportVerifier copy() {
        var copy = new ExportVerifier(keys, anyStart, chain.copy(), tree.map(MerkleFrontier::copy));
        copy.ahead.putAll(ahead);
        copy.untold.putAll(untold);
        copy.unexplainedBase = unexplainedBase;
        copy.tenant = tenant;
        copy.end = end;
        copy.lines = lines;
        copy.seen = seen;
        return copy;
    }

    /** What is wrong, and where first: an event, or the line that is none. */
    public record Fault(String where, String reason) {}

    /**
     * What the lines so far are worth.
     *
     * @param first the seq of the first event, zero before there was one
     * @param sealed the seq of the last checkpoint that was passed, zero when there was none
     * @param sealedAt when that checkpoint was made, in its own words
     */
    public record Summary(
            long events, long first, long seq, String hash, long redacted, long sealed, Optional<String> sealedAt) {

        static final Summary BEFORE_THE_FIRST = new Summary(0, 0, 0, AuditHead.NONE.hash(), 0, 0, Optional.empty());

        private Summary after(Intact event) {
            return new Summary(
                    events + 1,
                    first == 0 ? event.seq() : first,
                    event.seq(),
                    event.hash(),
                    redacted + (event.redacted() ? 1 : 0),
                    sealed,
                    sealedAt);
        }

        private Summary sealedBy(JsonObject checkpoint) {
            return new Summary(
                    events,
                    first,
                    seq,
                    hash,
                    redacted,
                    checkpoint.integer("seq").orElse(0L),
                    checkpoint.string("time"));
        }
    }

    /** The tenant that the checkpoints so far name; events do not name theirs. */
    public Optional<String> tenant() {
        return tenant;
    }

    /** Takes the seal of this very export: the events start behind its base and end with its checkpoint. */
    public Optional<Fault> mustFit(AuditSeal seal) {
        var wrong = seal.base().flatMap(this::startBehind).or(() -> mustPass(seal.checkpoint()));
        end = seal.checkpoint().integer("seq");
        return wrong;
    }

    /** Takes what stands for the events that were dropped. */
    public Optional<Fault> startBehind(AuditSeal.Base base) {
        var from = base.checkpoint();
        var wrong = promise(from);
        if (wrong.isPresent()) {
            return wrong;
        }
        long seq = from.integer("seq").orElse(0L);
        String hash = from.string("hash").orElse("");
        var edge = MerkleFrontier.of(base.subtrees(), seq);
        if (edge.isEmpty() || !isRoot(from, edge.get())) {
            return Optional.of(new Fault("the seal", "has subtrees that do not make up the root of its base"));
        }
        tree = edge;
        chain = AuditVerifier.ofChainBehind(seq, hash);
        seen = new Summary(0, 0, seq, hash, 0, seq, from.string("time"));
        unexplainedBase = anyStart ? Optional.empty() : Optional.of(seq);
        return Optional.empty();
    }

    /** Takes a checkpoint, from wherever: the log must have been as it says, and go on from there or end. */
    public Optional<Fault> mustPass(JsonObject checkpoint) {
        var wrong = promise(checkpoint);
        if (wrong.isPresent()) {
            return wrong;
        }
        long seq = checkpoint.integer("seq").orElse(0L);
        var other = ahead.putIfAbsent(seq, checkpoint);
        if (other != null && !other.string("hash").equals(checkpoint.string("hash"))) {
            return Optional.of(new Fault("the checkpoint of seq " + seq, "is contradicted by another"));
        }
        return seq > seen.seq() ? Optional.empty() : passed(checkpoint);
    }

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
        return Arrays.equals(Json.canonical(line), bytes) ? event(line) : fault("is not in canonical form");
    }

    /** To be asked after the last line. */
    public Optional<Fault> end() {
        if (!ahead.isEmpty() && ahead.lastKey() > seen.seq()) {
            return Optional.of(new Fault(
                    "the export",
                    "ends at seq " + seen.seq() + " but there is a checkpoint of seq " + ahead.lastKey()));
        }
        if (end.isPresent() && end.get() != seen.seq()) {
            return Optional.of(new Fault(
                    "event at seq " + (end.get() + 1), "comes after the last one that the export was sealed with"));
        }
        if (unexplainedBase.isPresent()) {
            return Optional.of(new Fault(
                    "the beginning up to seq " + unexplainedBase.get(),
                    "is missing, and no event of the log says that it was dropped"));
        }
        return untold.entrySet().stream()
                .findFirst()
                .map(missing -> new Fault(
                        "event " + missing.getKey() + " at seq " + missing.getValue(),
                        "has lost its payload, and no event tells that it was redacted"));
    }

    public Summary summary() {
        return seen;
    }

    /** Whether a checkpoint is one, is signed, and is about the same log as those before. */
    private Optional<Fault> promise(JsonObject checkpoint) {
        boolean whole = checkpoint.string("type").equals(Optional.of(Checkpoint.TYPE))
                && checkpoint.integer("seq").filter(seq -> seq > 0).isPresent()
                && checkpoint.string("hash").isPresent()
                && checkpoint.string("root").isPresent();
        if (!whole) {
            return checkpointFault("is none");
        }
        if (tenant.isPresent() && !checkpoint.string("tenant").equals(tenant)) {
            return checkpointFault("is of another tenant than the one before");
        }
        tenant = checkpoint.string("tenant");
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        return switch (keys.get().check(checkpoint)) {
            case GOOD -> Optional.empty();
            case NOT_SIGNED -> checkpointFault("is not signed");
            case UNKNOWN_KEY -> checkpointFault("is signed with a key that was not given");
            case BAD -> checkpointFault("has a signature that does not fit it");
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
                tree.ifPresent(edge -> edge.add(MerkleHash.leaf(Json.canonical(AuditVerifier.chained(event)))));
                seen = seen.after(intact);
                redaction(event, intact.redacted());
                explainBase(event);
                var promised = ahead.get(intact.seq());
                return promised == null ? Optional.empty() : passed(promised);
            }
        }
    }

    private Optional<Fault> passed(JsonObject checkpoint) {
        long seq = checkpoint.integer("seq").orElse(0L);
        if (seq < seen.seq()) {
            return Optional.of(new Fault(
                    "the checkpoint of seq " + seq,
                    "is about events that were dropped; a consistency proof shows what became of them"));
        }
        if (!checkpoint.string("hash").equals(Optional.of(seen.hash()))) {
            return Optional.of(new Fault("event at seq " + seq, "is not the one that the checkpoint was signed for"));
        }
        if (tree.isPresent() && !isRoot(checkpoint, tree.get())) {
            return Optional.of(new Fault("event at seq " + seq, "has another root than its checkpoint"));
        }
        seen = seen.sealedBy(checkpoint);
        return Optional.empty();
    }

    private static boolean isRoot(JsonObject checkpoint, MerkleFrontier tree) {
        return checkpoint.string("root").equals(Optional.of(HexFormat.of().formatHex(tree.root())));
    }

    private void redaction(JsonObject event, boolean payloadMissing) {
        if (payloadMissing) {
            untold.put(event.string("id").orElse(""), seen.seq());
        }
        if (event.string("type").equals(Optional.of(REDACTED))) {
            event.string("subject").ifPresent(untold::remove);
        }
    }

    // A checkpoint of the log's own past is no proof that the events before it were dropped by an operator; the log
    // itself is.
    private void explainBase(JsonObject event) {
        if (unexplainedBase.isPresent()
                && event.string("type").equals(Optional.of(SEGMENT_DROPPED))
                && event.object("data").flatMap(data -> data.integer("through")).equals(unexplainedBase)) {
            unexplainedBase = Optional.empty();
        }
    }

    private static Optional<Fault> checkpointFault(String reason) {
        return Optional.of(new Fault("the checkpoint", reason));
    }

    private Optional<Fault> fault(String reason) {
        return Optional.of(new Fault("line " + lines + ", behind seq " + seen.seq() + ",", reason));
    }
}
