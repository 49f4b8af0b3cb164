package dev.nonbis.bench.judge;

import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** G4. A body that was refused each time it was sent made nothing, no event tells of it, and its key and nonce are as free as before. */
final class RefusalsLeaveNothing implements Checker {

    private record Name(String tenant, String operation, String bodyHash) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var onlyRefused = new LinkedHashMap<Name, Boolean>();
        for (var exchange : history.exchanges()) {
            exchange.operation().ifPresent(operation -> {
                var name = new Name(
                        exchange.tenant(),
                        operation,
                        CanonicalForm.sha256(exchange.sent().json()));
                onlyRefused.merge(name, isRefused(exchange), Boolean::logicalAnd);
            });
        }
        var effects = new HashMap<String, Effects>();
        var told = told(export);
        var found = new ArrayList<Violation>();
        onlyRefused.forEach((name, refused) -> {
            if (refused) {
                var made = effects.computeIfAbsent(name.tenant(), t -> new Effects(export.of(t)))
                        .of(name.operation(), name.bodyHash());
                if (!made.isEmpty()) {
                    found.add(new Violation(Guarantee.G4, name + " was always refused, and made " + made));
                }
                if (told.getOrDefault(name.tenant(), Set.of()).contains(name.bodyHash())) {
                    found.add(new Violation(Guarantee.G4, name + " was always refused, and the audit log tells of it"));
                }
            }
        });
        found.addAll(KeysStayFree.check(history, export, promises));
        return found;
    }

    // Whoever got no answer, or the answer that nobody knows, cannot say that it was refused.
    private static boolean isRefused(Exchange exchange) {
        return exchange.reply()
                .filter(reply -> !SameAnswers.isRecorded(reply))
                .filter(reply -> !reply.code().equals("outcome_unknown"))
                .isPresent();
    }

    private static Map<String, Set<String>> told(Export export) {
        var told = new HashMap<String, Set<String>>();
        export.tenants().forEach((name, tenant) -> {
            var hashes = new HashSet<String>();
            tenant.audit()
                    .forEach(event -> hashes.add(event.path("request_hash").asString("")));
            told.put(name, hashes);
        });
        return told;
    }
}
