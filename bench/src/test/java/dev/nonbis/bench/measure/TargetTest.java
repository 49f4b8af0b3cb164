package dev.nonbis.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class TargetTest {

    @Test
    void a_target_is_met_on_its_good_side_and_at_its_limit() {
        assertThat(Target.atLeast("ratio", 0.35, OptionalDouble.of(0.35)).met()).isTrue();
        assertThat(Target.atLeast("ratio", 0.35, OptionalDouble.of(0.34)).met()).isFalse();
        assertThat(Target.atMost("memory", 512, OptionalDouble.of(512)).met()).isTrue();
        assertThat(Target.atMost("memory", 512, OptionalDouble.of(513)).met()).isFalse();
    }

    @Test
    void a_figure_that_could_not_be_taken_is_not_met() {
        assertThat(Target.atMost("memory", 512, OptionalDouble.empty()).met()).isFalse();
    }

    @Test
    void the_median_is_the_middle() {
        assertThat(Median.of(List.of(9.0, 1.0, 2.0))).hasValue(2);
        assertThat(Median.of(List.of(1.0, 2.0))).hasValue(1.5);
        assertThat(Median.of(List.of())).isEmpty();
    }
}
