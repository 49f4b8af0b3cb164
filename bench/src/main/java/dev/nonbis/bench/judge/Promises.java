package dev.nonbis.bench.judge;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What was configured, as far as a guarantee depends on it.
 *
 * @param retention how long keys of each operation live; for ever where there is no entry
 * @param clockError how far a server's clock was ever from the true time
 * @param runLimits active runs at most, by tenant
 * @param dayCapUsd what each agent may spend on one day
 * @param brokerWindow how long a broker recognises a message's name
 */
public record Promises(
        Map<String, Duration> retention,
        Duration clockError,
        Map<String, Integer> runLimits,
        Map<String, BigDecimal> dayCapUsd,
        Duration brokerWindow) {

    public Promises {
        retention = Map.copyOf(retention);
        runLimits = Map.copyOf(runLimits);
        dayCapUsd = Map.copyOf(dayCapUsd);
    }

    /** Within this time of its first use a key must still count; empty: always. */
    Optional<Long> surelyLiveMicros(String operation) {
        return Optional.ofNullable(retention.get(operation))
                .map(time -> Math.max(0, time.minus(clockError.multipliedBy(2)).toNanos() / 1000));
    }
}
