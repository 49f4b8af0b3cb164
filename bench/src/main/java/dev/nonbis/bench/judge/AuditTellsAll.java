package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** G11. The chain is whole, and it has exactly one event for each thing that was made, decided or ended. */
final class AuditTellsAll implements Checker {

    private static final Set<String> OUTSIDE_THE_HASH = Set.of("hash", "data");
    private static final Set<String> ENDS = Set.of(
            "job.succeeded", "job.failed", "job.timeout", "job.cancelled", "approval.rejected", "approval.expired");

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        export.tenants().forEach((name, tenant) -> {
            broken(tenant).ifPresent(what -> found.add(new Violation(Guarantee.G11, name + ": " + what)));
            counts(name, tenant, found);
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

    private static void counts(String name, OfTenant tenant, List<Violation> found) {
        var made = new HashMap<String, Integer>();
        var ended = new HashMap<String, Integer>();
        for (var event : tenant.audit()) {
            var subject = event.path("subject").asString("");
            switch (event.path("type").asString("")) {
                case "job.submitted", "run.started", "payment.decided" -> made.merge(subject, 1, Integer::sum);
                case "run.ended", "run.cancelled" -> ended.merge(subject, 1, Integer::sum);
                case String type when ENDS.contains(type) -> ended.merge(subject, 1, Integer::sum);
                default -> {}
            }
        }
        exactlyOne(name, "begins", tenant.jobs().keySet(), made, found);
        exactlyOne(name, "begins", tenant.runs().keySet(), made, found);
        exactlyOne(name, "is decided", tenant.payments().keySet(), made, found);
        tenant.jobs().forEach((id, job) -> {
            var state = job.path("state").asString("");
            boolean atOnce = state.equals("DENIED") && !tenant.approvals().containsKey(id);
            if (StatesFollowTheTable.TERMINAL.contains(state) && !atOnce) {
                exactlyOne(name, "ends", Set.of(id), ended, found);
            }
        });
        tenant.runs().forEach((id, run) -> {
            if (run.has("ended_at")) {
                exactlyOne(name, "ends", Set.of(id), ended, found);
            }
        });
    }

    private static void exactlyOne(
            String name, String what, Set<String> ids, Map<String, Integer> counts, List<Violation> found) {
        for (var id : ids) {
            int times = counts.getOrDefault(id, 0);
            if (times != 1) {
                found.add(new Violation(
                        Guarantee.G11, name + ": " + times + " events tell that " + id + " " + what + ", not 1"));
            }
        }
    }
}
