package dev.nonbis.bench.judge;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was configured, as far as a guarantee depends on it.
 *
 * @param retention how long keys of each operation live; for ever where there is no entry
 * @param clockError how far a server's clock was ever from the true time
 * @param runLimits active runs at most, by tenant
 * @param budgets what each agent may spend
 * @param brokerWindow how long a broker recognises a message's name
 */
public record Promises(
        Map<String, Duration> retention,
        Duration clockError,
        Map<String, Integer> runLimits,
        List<Budget> budgets,
        Duration brokerWindow) {

    /** Over what a budget is counted: each payment alone, those of a day or month of UTC, or all to one provider for ever. */
    public enum Scope {
        REQUEST,
        DAY,
        MONTH,
        PROVIDER
    }

    /**
     * What an agent may spend.
     *
     * @param providerUrl how the addresses of the provider begin; empty for all scopes but that of a provider
     */
    public record Budget(String agent, Scope scope, String providerUrl, BigDecimal capUsd) {}

    /** Budgets of days alone, by agent. */
    public Promises(
            Map<String, Duration> retention,
            Duration clockError,
            Map<String, Integer> runLimits,
            Map<String, BigDecimal> dayCapUsd,
            Duration brokerWindow) {
        this(
                retention,
                clockError,
                runLimits,
                dayCapUsd.entrySet().stream()
                        .map(cap -> new Budget(cap.getKey(), Scope.DAY, "", cap.getValue()))
                        .toList(),
                brokerWindow);
    }

    public Promises {
        retention = Map.copyOf(retention);
        runLimits = Map.copyOf(runLimits);
        budgets = List.copyOf(budgets);
    }

    /** Within this time of its first use a key must still count; empty: always. */
    Optional<Long> surelyLiveMicros(String operation) {
        return Optional.ofNullable(retention.get(operation))
                .map(time -> Math.max(0, time.minus(clockError.multipliedBy(2)).toNanos() / 1000));
    }
}
