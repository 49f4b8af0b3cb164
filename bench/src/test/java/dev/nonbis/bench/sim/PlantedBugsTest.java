package dev.nonbis.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.judge.Guarantee;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedBugsTest {

    private static final int MOST_SEEDS = 100;

    @ParameterizedTest
    @EnumSource(PlantedBug.class)
    void every_classic_mistake_is_caught_within_a_hundred_seeds(PlantedBug bug) {
        var caught = new Campaign(bug, Duration.ofMinutes(40)).firstBreaking(bug.breaks, 1, MOST_SEEDS);

        assertThat(caught)
                .as("a seed under which %s breaks %s", bug, bug.breaks)
                .isPresent();
    }

    @Test
    void every_guarantee_has_a_mistake_that_its_checker_has_caught() {
        assertThat(EnumSet.allOf(Guarantee.class))
                .allSatisfy(guarantee -> assertThat(PlantedBug.values()).anyMatch(bug -> bug.breaks == guarantee));
    }
}
