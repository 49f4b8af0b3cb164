package dev.nonbis.bench.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of G1 that a target outside relies on: work is given out under one key however often it is given out, a copy's under that of the
 * first job, and no two pieces of work have the same.
 */
final class TargetKeys {

    private record Work(String tenant, String first) {}

    private final Map<String, String> firstOf = new HashMap<>();
    private final Map<Work, String> keys = new HashMap<>();
    private final Map<String, Work> works = new HashMap<>();
    private final List<Violation> found = new ArrayList<>();

    private TargetKeys(Export export) {
        export.tenants()
                .values()
                .forEach(tenant -> tenant.jobs()
                        .forEach((id, job) -> firstOf.put(
                                id, job.path("labels").path("nonbis.retry_of").asString(id))));
    }

    static List<Violation> check(History history, Export export) {
        var given = new TargetKeys(export);
        var used = new TargetKeys(export);
        for (var exchange : history.exchanges()) {
            exchange.reply()
                    .filter(reply -> reply.isSuccess() && exchange.isPost("/api/v1/worker/poll"))
                    .ifPresent(reply -> reply.json()
                            .path("deliveries")
                            .forEach(delivery -> given.given(
                                    exchange.tenant(),
                                    delivery.path("job_id").asString(""),
                                    delivery.path("idempotency_key").asString(""))));
        }
        history.effects().forEach(effect -> used.given(effect.tenant(), effect.job(), effect.targetKey()));
        given.found.addAll(used.found);
        return given.found;
    }

    private void given(String tenant, String job, String key) {
        var work = new Work(tenant, firstOf.getOrDefault(job, job));
        var before = keys.putIfAbsent(work, key);
        if (before != null && !before.equals(key)) {
            found.add(new Violation(Guarantee.G1, job + " was given out under " + before + " and under " + key));
        }
        var other = works.putIfAbsent(key, work);
        if (other != null && !other.equals(work)) {
            found.add(new Violation(Guarantee.G1, work + " and " + other + " were given out under one key, " + key));
        }
    }
}
