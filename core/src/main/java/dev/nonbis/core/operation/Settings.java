package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What an operator decides about the operations.
 *
 * @param retention how long keys live; for ever where there is no entry
 * @param maxConcurrentRuns limits for tenants that have none of their own in the store
 * @param approvalExpiry how long a job waits for a human
 * @param selfApproval whether a submitter may decide about what it submitted
 */
public record Settings(
        Map<Operation, Duration> retention,
        Map<TenantId, Integer> maxConcurrentRuns,
        Duration approvalExpiry,
        boolean selfApproval) {

    public static final Settings DEFAULTS = new Settings(
            Map.of(Operation.JOBS, Duration.ofDays(90), Operation.PAYMENTS, Duration.ofHours(24)),
            Map.of(),
            Duration.ofDays(7),
            false);

    public Settings {
        retention = Map.copyOf(retention);
        maxConcurrentRuns = Map.copyOf(maxConcurrentRuns);
    }

    Optional<Duration> retention(Operation operation) {
        return Optional.ofNullable(retention.get(operation));
    }

    Optional<Integer> maxConcurrentRuns(TenantId tenant) {
        return Optional.ofNullable(maxConcurrentRuns.get(tenant));
    }
}
