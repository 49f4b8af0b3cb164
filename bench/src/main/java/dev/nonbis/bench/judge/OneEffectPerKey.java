package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Effects.Made;
import dev.nonbis.bench.torture.CanonicalForm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * G1. Keys and bodies that were sent together belong together; what all of them made is no more than the keys, and no more than one for
 * a body that only one key was sent with. A body without a key may take effect each time it is sent. Nothing is there that nobody asked
 * for, neither directly nor as a step or a copy, and work goes out under one key.
 */
final class OneEffectPerKey implements Checker {

    private static final List<String> OPERATIONS = List.of("jobs", "runs", "payments");

    private record Scope(String tenant, String operation) {}

    /** Keys and the bodies sent with them. */
    private static final class Group {
        final Set<String> keys = new LinkedHashSet<>();
        final Set<String> bodies = new LinkedHashSet<>();
        int unkeyed;
    }

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var groups = new LinkedHashMap<Scope, Map<String, Group>>();
        for (var exchange : history.exchanges()) {
            exchange.operation().ifPresent(operation -> {
                var scope = new Scope(exchange.tenant(), operation);
                join(
                        groups.computeIfAbsent(scope, s -> new HashMap<>()),
                        exchange.sent().key(),
                        CanonicalForm.sha256(exchange.sent().json()));
            });
        }
        var found = new ArrayList<Violation>();
        var effectsOf = new HashMap<String, Effects>();
        export.tenants().forEach((name, tenant) -> effectsOf.put(name, new Effects(tenant)));
        groups.forEach((scope, byName) -> {
            var effects = effectsOf.getOrDefault(scope.tenant(), Effects.NONE);
            for (var group : new LinkedHashSet<>(byName.values())) {
                judge(scope, group, effects, promises).ifPresent(found::add);
            }
        });
        effectsOf.forEach((tenant, effects) -> OPERATIONS.forEach(operation -> {
            var asked = groups.getOrDefault(new Scope(tenant, operation), Map.of());
            effects.of(operation).forEach((hash, made) -> {
                if (!asked.containsKey("body " + hash)) {
                    found.add(new Violation(Guarantee.G1, tenant + ": nobody asked for " + operation + " " + made));
                }
            });
        }));
        found.addAll(EffectsOfEffects.check(history, export));
        found.addAll(TargetKeys.check(history, export));
        return found;
    }

    private static void join(Map<String, Group> byName, Optional<String> key, String body) {
        var ofBody = byName.computeIfAbsent("body " + body, b -> new Group());
        ofBody.bodies.add(body);
        if (key.isEmpty()) {
            ofBody.unkeyed++;
            return;
        }
        var ofKey = byName.computeIfAbsent("key " + key.get(), k -> new Group());
        ofKey.keys.add(key.get());
        if (ofKey != ofBody) {
            ofKey.keys.addAll(ofBody.keys);
            ofKey.bodies.addAll(ofBody.bodies);
            ofKey.unkeyed += ofBody.unkeyed;
            ofBody.keys.forEach(name -> byName.put("key " + name, ofKey));
            ofBody.bodies.forEach(name -> byName.put("body " + name, ofKey));
        }
    }

    private static Optional<Violation> judge(Scope scope, Group group, Effects effects, Promises promises) {
        var made = new ArrayList<Made>();
        group.bodies.forEach(body -> made.addAll(effects.of(scope.operation(), body)));
        if (made.size() <= group.keys.size() + group.unkeyed) {
            return Optional.empty();
        }
        var retention = promises.retention().get(scope.operation());
        if (retention != null && group.keys.size() == 1 && group.unkeyed == 0 && areApart(made, retention)) {
            return Optional.empty();
        }
        return Optional.of(new Violation(
                Guarantee.G1, scope.tenant() + " " + scope.operation() + " keys " + group.keys + " made " + made));
    }

    // Times as the servers stamped them: each stamp is the very time by which the key was judged.
    private static boolean areApart(List<Made> made, Duration retention) {
        var times = made.stream()
                .map(one -> Instant.parse(one.createdAt()))
                .sorted(Comparator.naturalOrder())
                .toList();
        for (int i = 1; i < times.size(); i++) {
            if (Duration.between(times.get(i - 1), times.get(i)).compareTo(retention) < 0) {
                return false;
            }
        }
        return true;
    }
}
