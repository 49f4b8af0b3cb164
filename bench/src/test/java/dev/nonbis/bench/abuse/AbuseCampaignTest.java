package dev.nonbis.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.process.BuiltServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
final class AbuseCampaignTest {

    private static final Duration TURN = Duration.ofSeconds(3);
    // On a machine that runs other tests, only a stall tells something.
    private static final Duration STALL = Duration.ofSeconds(10);
    private static final long SEED = 20_261_119;

    @Test
    void no_hostile_client_takes_the_server_from_an_honest_tenant() throws Exception {
        var plan = new AbuseCampaign.Plan(List.of(DrawnAttack.values()), 1, TURN, TURN, STALL, SEED);

        var findings = new AbuseCampaign(plan, BuiltServer.command(), System.out::println).run();

        assertThat(findings).as("seed " + SEED).isEmpty();
    }
}
