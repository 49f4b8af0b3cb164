package dev.nonbis.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.judge.Guarantee;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlantedBugsTest {

    private static final int MOST_SEEDS = 100;

    static Stream<Planted> mistakes() {
        return Stream.concat(Arrays.stream(PlantedBug.values()), Arrays.stream(SubtleBug.values()));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void every_mistake_is_caught_within_a_hundred_seeds(Planted bug) {
        var caught = new Campaign(bug, Duration.ofMinutes(40)).firstBreaking(bug.breaks(), 1, MOST_SEEDS);

        assertThat(caught)
                .as("a seed under which %s breaks %s", bug, bug.breaks())
                .isPresent();
    }

    @Test
    void every_guarantee_has_a_mistake_that_its_checker_has_caught() {
        assertThat(EnumSet.allOf(Guarantee.class))
                .allSatisfy(guarantee -> assertThat(mistakes()).anyMatch(bug -> bug.breaks() == guarantee));
    }
}
