package dev.nonbis.server;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.Settings;
import dev.nonbis.server.config.Config;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Set;

/** The part of the configuration that decides what is admitted and for how long it is remembered. */
final class Admission {

    private Admission() {}

    static Settings settings(Config config) {
        var retention = new EnumMap<Operation, Duration>(Operation.class);
        config.idempotency().retention().jobs().ifPresent(time -> retention.put(Operation.JOBS, time));
        config.idempotency().retention().runs().ifPresent(time -> retention.put(Operation.RUNS, time));
        config.idempotency().retention().payments().ifPresent(time -> retention.put(Operation.PAYMENTS, time));
        var limits = new HashMap<TenantId, Integer>();
        config.limits()
                .forEach((tenant, limit) ->
                        limit.maxConcurrentRuns().ifPresent(n -> limits.put(new TenantId(tenant), n)));
        return new Settings(
                retention,
                limits,
                config.approvals().expireAfter(),
                config.approvals().allowSelf());
    }

    static Set<Operation> keyRequired(Config config) {
        var required = EnumSet.noneOf(Operation.class);
        config.idempotency().required().forEach(word -> Operation.of(word).ifPresent(required::add));
        return required;
    }
}
