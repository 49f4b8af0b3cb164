package dev.nonbis.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.testkit.store.FaultyBackend.Call;
import dev.nonbis.testkit.store.FaultyBackend.Fault;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FaultyBackendTest {

    @Test
    void the_same_seed_gives_the_same_faults() {
        assertThat(faults(7)).isEqualTo(faults(7)).isNotEqualTo(faults(8)).contains(Fault.values());
    }

    @Test
    void a_script_fails_the_calls_that_it_names_in_order() {
        var script =
                new FaultyBackend.Script().then(Call.APPLY, Fault.REPLY_LOST).then(Call.APPLY, Fault.REFUSED);

        assertThat(script.next(Call.READ)).isEqualTo(Fault.NONE);
        assertThat(script.next(Call.APPLY)).isEqualTo(Fault.REPLY_LOST);
        assertThat(script.next(Call.APPLY)).isEqualTo(Fault.REFUSED);
        assertThat(script.next(Call.APPLY)).isEqualTo(Fault.NONE);
    }

    private static List<Fault> faults(long seed) {
        var plan = new FaultyBackend.Seeded(seed, 0.5);
        return Stream.generate(() -> plan.next(Call.APPLY)).limit(100).toList();
    }
}
