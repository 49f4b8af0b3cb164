package dev.nonbis.bench.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.admission.AdmissionTraffic.Order;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdmissionTrafficTest {

    private static final int PARTS = 64;

    @Test
    void rising_numbers_stay_as_they_are() {
        assertThat(numbers(Order.RISING, 3)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void scattered_numbers_differ_and_lie_all_over() {
        var numbers = numbers(Order.SCATTERED, 10_000);

        assertThat(new HashSet<>(numbers)).hasSameSizeAs(numbers);
        long part = Collections.max(numbers) / PARTS + 1;
        for (int from = 0; from < numbers.size(); from += 1_000) {
            var some = numbers.subList(from, from + 1_000);
            assertThat(some.stream().map(number -> number / part).distinct()).hasSize(PARTS);
        }
    }

    /** The highest bit decides last: where two numbers become one, these do. */
    @Test
    void no_two_numbers_become_one() {
        assertThat(Order.SCATTERED.number(1L << 38)).isNotEqualTo(Order.SCATTERED.number(0));
    }

    /** A template has room for twelve digits. */
    @Test
    void scattered_numbers_fit_into_a_request() {
        assertThat(numbers(Order.SCATTERED, 10_000)).allMatch(number -> number >= 0 && number < 1_000_000_000_000L);
    }

    private static List<Long> numbers(Order order, int many) {
        return LongStream.range(0, many).map(order::number).boxed().toList();
    }
}
