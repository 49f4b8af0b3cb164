package dev.nonbis.server.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {

    private final BodyBudget budget = new BodyBudget(1 << 20, Duration.ZERO);

    @Test
    void small_bodies_and_none_are_not_counted() {
        assertThat(budget.kibOf(OptionalLong.of(4096), true)).isZero();
        assertThat(budget.kibOf(OptionalLong.empty(), false)).isZero();
    }

    @Test
    void a_body_of_unknown_length_counts_as_the_largest() {
        assertThat(budget.kibOf(OptionalLong.empty(), true)).isEqualTo(1024);
        assertThat(budget.kibOf(OptionalLong.of(5000), true)).isEqualTo(5);
    }

    @Test
    void large_bodies_are_turned_away_when_too_many_are_under_way_and_let_in_again_after() {
        for (int i = 0; i < 6; i++) {
            assertThat(budget.take(1024)).isTrue();
        }
        assertThat(budget.take(1)).isFalse();
        assertThat(budget.take(0)).isTrue();

        budget.giveBack(1024);
        assertThat(budget.take(1024)).isTrue();
    }
}
