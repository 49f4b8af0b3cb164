package dev.nonbis.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HostileExpressionsTest {

    @Test
    void a_seed_decides_every_expression() {
        assertThat(draw(7)).isEqualTo(draw(7)).isNotEqualTo(draw(8));
    }

    @Test
    void all_kinds_of_expressions_come() {
        assertThat(draw(1))
                .anyMatch(text -> text.contains("{1,1000}"))
                .anyMatch(text -> text.contains("matches(input.p)"))
                .anyMatch(text -> text.contains("map(v2, input.xs.map(v1"))
                .anyMatch(text -> text.contains("input.s + input.s"))
                .anyMatch(text -> text.contains("(((("));
    }

    private static List<String> draw(long seed) {
        var expressions = new HostileExpressions(new SplittableRandom(seed));
        return IntStream.range(0, 300).mapToObj(i -> expressions.draw()).toList();
    }
}
