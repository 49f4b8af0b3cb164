package dev.nonbis.bench.abuse;

import dev.nonbis.bench.abuse.AttackedServer.Aftermath;
import dev.nonbis.bench.process.ServerCommand;
import java.io.IOException;
import java.time.Duration;

/** The latency that an honest tenant sees while one attack runs, each on a server of its own. */
public final class UnderAttackBench {

    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long SEED = 1;

    private UnderAttackBench() {}

    public static Aftermath measure(ServerCommand command, KnownAttack attack, Duration time)
            throws IOException, InterruptedException {
        try (var server = AttackedServer.start(command, SEED, PATIENCE)) {
            server.prepare(attack);
            server.warmUp(WARM_UP);
            return server.suffer(attack, time);
        }
    }

    /** Whether every request was answered within a second by a server that lives on. */
    public static boolean isWithstood(Aftermath after) {
        return after.end().isEmpty()
                && after.felt().unanswered() == 0
                && after.felt().millis(100) <= PATIENCE.toMillis();
    }
}
