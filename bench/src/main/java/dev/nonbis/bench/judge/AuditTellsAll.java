package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** G11. The chain is whole, and its events and what happened are one to one: no effect without its event, no event without its effect. */
final class AuditTellsAll implements Checker {

    private static final Set<String> OUTSIDE_THE_HASH = Set.of("hash", "data");

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var asked = Asked.of(history);
        export.tenants().forEach((name, tenant) -> {
            broken(tenant).ifPresent(what -> found.add(new Violation(Guarantee.G11, name + ": " + what)));
            new EventsAndEffects(tenant)
                    .wrong(asked.getOrDefault(name, Asked.NOTHING))
                    .forEach(what -> found.add(new Violation(Guarantee.G11, name + ": " + what)));
        });
        return found;
    }

    private static Optional<String> broken(OfTenant tenant) {
        long seq = 0;
        String hash = "0".repeat(64);
        for (var event : tenant.audit()) {
            seq++;
            if (event.path("seq").asLong(-1) != seq
                    || !event.path("prev_hash").asString("").equals(hash)) {
                return Optional.of("the chain does not go on from " + (seq - 1) + " " + hash + ": " + event);
            }
            hash = event.path("hash").asString("");
            if (!hash.equals(CanonicalForm.sha256(chained(event)))) {
                return Optional.of("the hash is not that of " + event);
            }
            if (event.path("data").isObject()
                    && !event.path("data_hash").asString("").equals(CanonicalForm.sha256(event.path("data")))) {
                return Optional.of("the data_hash is not that of " + event);
            }
        }
        return tenant.auditHead().path("seq").asLong(-1) == seq
                        && tenant.auditHead().path("hash").asString("").equals(hash)
                ? Optional.empty()
                : Optional.of("the head is " + tenant.auditHead() + ", and the log ends with " + seq + " " + hash);
    }

    private static JsonNode chained(JsonNode event) {
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
