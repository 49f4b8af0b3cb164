package dev.nonbis.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.bench.faults.FaultCampaign.Kind;

/** What this machine has for faults. Where {@code CI=true} it has to have everything. */
final class Machine {

    private Machine() {}

    static boolean has(Kind kind) {
        boolean has = kind.isAvailable();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(has).as("what it takes for " + kind).isTrue();
        }
        return has;
    }

    static void requireDisk() {
        assumeTrue(has(Kind.FSYNC), "it takes Linux and a C compiler");
    }
}
