package dev.nonbis.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private final Campaign campaign = new Campaign(Variation.USUAL, Duration.ofMinutes(40));

    @Test
    void every_guarantee_holds_in_every_history() {
        var report = campaign.run(1, 40, broken -> {});

        assertThat(report.broken()).isEmpty();
        assertThat(report.requests()).isGreaterThan(10_000);
    }

    @Test
    void a_seed_decides_every_step() {
        var once = new ArrayList<String>();
        var again = new ArrayList<String>();

        campaign.replay(7, once::add);
        campaign.replay(7, again::add);

        assertThat(again).isEqualTo(once).hasSizeGreaterThan(500);
    }

    @Test
    void another_seed_is_another_history() {
        var one = new ArrayList<String>();
        var other = new ArrayList<String>();

        campaign.replay(7, one::add);
        campaign.replay(8, other::add);

        assertThat(other).isNotEqualTo(one);
    }
}
