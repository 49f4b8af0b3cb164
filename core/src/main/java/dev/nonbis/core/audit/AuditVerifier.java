package dev.nonbis.core.audit;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.Sha256;
import java.util.Optional;

/**
 * Checks a chain one event at a time, from nothing but the events themselves as they are exported. It stays broken after the first
 * broken event: nothing behind that can be trusted.
 */
public final class AuditVerifier {

    private static final String BEFORE_THE_FIRST = "0".repeat(64);

    private long seq;
    private String hash = BEFORE_THE_FIRST;
    private boolean anyStart;
    private Optional<Broken> broken = Optional.empty();

    private AuditVerifier(boolean anyStart) {
        this.anyStart = anyStart;
    }

    /** The first event must be the chain's first. */
    public static AuditVerifier ofWholeChain() {
        return new AuditVerifier(false);
    }

    /** The first event may be any; what came before it is taken on trust. */
    public static AuditVerifier ofRange() {
        return new AuditVerifier(true);
    }

    /** The first event must follow this one, about which somebody who is trusted has given word. */
    public static AuditVerifier ofChainBehind(long seq, String hash) {
        var verifier = new AuditVerifier(false);
        verifier.seq = seq;
        verifier.hash = hash;
        return verifier;
    }

    /** One that has seen what this one has. */
    public AuditVerifier copy() {
        var copy = new AuditVerifier(anyStart);
        copy.seq = seq;
        copy.hash = hash;
        copy.broken = broken;
        return copy;
    }

    /** What an event is worth. */
    public sealed interface Finding {}

    /** The event follows from the one before it; {@code redacted} when its payload is gone, which the chain allows. */
    public record Intact(long seq, String hash, boolean redacted) implements Finding {}

    /** The event, by id and expected place, and the rule it breaks. */
    public record Broken(String eventId, long seq, String reason) implements Finding {}

    public Finding next(JsonObject event) {
        if (broken.isPresent()) {
            return broken.get();
        }
        long expected = anyStart ? event.integer("seq").orElse(1L) : seq + 1;
        var fault = fault(event, expected);
        if (fault.isPresent()) {
            var found = new Broken(event.string("id").orElse("without id"), expected, fault.get());
            broken = Optional.of(found);
            return found;
        }
        anyStart = false;
        seq = expected;
        hash = event.string("hash").orElseThrow();
        return new Intact(seq, hash, data(event).isEmpty());
    }

    private Optional<String> fault(JsonObject event, long expected) {
        if (!event.integer("seq").equals(Optional.of(expected))) {
            return Optional.of(
                    "seq is " + event.integer("seq").map(String::valueOf).orElse("missing") + ", expected " + expected);
        }
        boolean linkIsKnown = !anyStart || expected == 1;
        if (linkIsKnown && !event.string("prev_hash").equals(Optional.of(hash))) {
            return Optional.of("prev_hash is not the hash of the event before it");
        }
        if (!event.string("hash").equals(Optional.of(Sha256.hex(Json.canonical(chained(event)))))) {
            return Optional.of("hash is not the hash of the event");
        }
        var data = data(event);
        if (data.isPresent()
                && !event.string("data_hash").equals(Optional.of(Sha256.hex(Json.canonical(data.get()))))) {
            return Optional.of("data_hash is not the hash of the data");
        }
        return Optional.empty();
    }

    private static Optional<JsonValue> data(JsonObject event) {
        return event.get("data").filter(value -> !(value instanceof JsonNull));
    }

    /** The members that the digest covers: all but the digest itself and the payload. */
    static JsonObject chained(JsonObject event) {
        var members = JsonObject.builder();
        event.members().forEach((name, value) -> {
            if (!name.equals("hash") && !name.equals("data")) {
                members.put(name, value);
            }
        });
        return members.build();
    }
}
