package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.Violation.Rule;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Follows one tenant's audit chain event by event and recomputes every hash. It remembers where it stood before a kill, so that a
 * server that loses events and writes others in their place is caught by the link that no longer fits.
 */
final class AuditChain {

    private static final Set<String> OUTSIDE_THE_HASH = Set.of("hash", "data");

    private final String tenant;
    private long seq;
    private String hash = "0".repeat(64);

    AuditChain(String tenant) {
        this.tenant = tenant;
    }

    String tenant() {
        return tenant;
    }

    long seq() {
        return seq;
    }

    String hash() {
        return hash;
    }

    /** Takes the next event; says what is wrong with it. */
    Optional<Violation> follow(JsonNode event) {
        var wrong = wrong(event);
        seq = event.path("seq").asLong(seq + 1);
        hash = event.path("hash").asString("");
        return wrong.map(what -> new Violation(Rule.AUDIT_CHAIN_VERIFIES, tenant + ": " + what + ": " + event));
    }

    private Optional<String> wrong(JsonNode event) {
        if (event.path("seq").asLong(-1) != seq + 1) {
            return Optional.of("after seq " + seq + " must come " + (seq + 1));
        }
        if (!event.path("prev_hash").asString("").equals(hash)) {
            return Optional.of("prev_hash is not the hash of the event before, " + hash);
        }
        var expected = CanonicalForm.sha256(chained(event));
        if (!event.path("hash").asString("").equals(expected)) {
            return Optional.of("the hash should be " + expected);
        }
        var data = event.path("data");
        if (data.isObject() && !event.path("data_hash").asString("").equals(CanonicalForm.sha256(data))) {
            return Optional.of("data_hash should be " + CanonicalForm.sha256(data));
        }
        return Optional.empty();
    }

    private static ObjectNode chained(JsonNode event) {
        var chained = JsonMapper.shared().createObjectNode();
        event.properties().forEach(member -> {
            if (!OUTSIDE_THE_HASH.contains(member.getKey())
                    && !member.getValue().isNull()) {
                chained.set(member.getKey(), member.getValue());
            }
        });
        return chained;
    }
}
