package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.torture.RunLimitCheck.Active;
import dev.nonbis.bench.torture.Violation.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunLimitCheckTest {

    @Test
    void runs_one_after_another_stay_within_the_limit() {
        var runs = List.of(new Active("a", 0, 10), new Active("b", 10, 20), new Active("c", 20, Long.MAX_VALUE));

        assertThat(RunLimitCheck.check("acme", 1, runs)).isEmpty();
    }

    @Test
    void one_run_more_than_allowed_at_one_instant_is_found() {
        var runs = List.of(new Active("a", 0, 10), new Active("b", 5, 20), new Active("c", 9, Long.MAX_VALUE));

        assertThat(RunLimitCheck.check("acme", 2, runs)).hasValueSatisfying(violation -> {
            assertThat(violation.rule()).isEqualTo(Rule.RUN_LIMIT_HOLDS);
            assertThat(violation.evidence()).contains("3 runs").contains("c");
        });
    }

    @Test
    void a_run_whose_cancel_was_sent_before_its_start_was_heard_counts_nowhere() {
        var runs = List.of(new Active("a", 0, 10), new Active("b", 8, 3));

        assertThat(RunLimitCheck.check("acme", 1, runs)).isEmpty();
    }
}
