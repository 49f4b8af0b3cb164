package dev.nonbis.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.measure.Target.Verdict;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class TargetTest {

    @Test
    void a_target_is_met_on_its_good_side_and_at_its_limit() {
        assertThat(Target.atLeast("ratio", 0.35, OptionalDouble.of(0.35)).verdict())
                .isEqualTo(Verdict.PASS);
        assertThat(Target.atLeast("ratio", 0.35, OptionalDouble.of(0.34)).verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(Target.atMost("memory", 512, OptionalDouble.of(512)).verdict())
                .isEqualTo(Verdict.PASS);
        assertThat(Target.atMost("memory", 512, OptionalDouble.of(513)).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void a_figure_that_could_not_be_taken_is_neither_kept_nor_missed() {
        assertThat(Target.atMost("memory", 512, OptionalDouble.empty()).verdict())
                .isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void the_median_is_the_middle() {
        assertThat(Median.of(List.of(9.0, 1.0, 2.0))).hasValue(2);
        assertThat(Median.of(List.of(1.0, 2.0))).hasValue(1.5);
        assertThat(Median.of(List.of())).isEmpty();
    }
}
