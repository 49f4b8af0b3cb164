package dev.nonbis.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class VitalsTest {

    private static final Vitals BEFORE = new Vitals(50, 30, Set.of("nonbis-writer", "server-@default-listener"));

    @Test
    void a_server_that_is_back_where_it_was_has_missed_nothing() {
        assertThat(BEFORE.missedBy(new Vitals(55, 33, BEFORE.threads()))).isEmpty();
    }

    @Test
    void memory_and_sockets_that_are_kept_and_a_thread_that_ended_are_reported() {
        var after = new Vitals(50 + Vitals.MORE_HEAP_MIB + 1, 31 + Vitals.MORE_DESCRIPTORS, Set.of("nonbis-writer"));

        assertThat(BEFORE.missedBy(after))
                .hasSize(3)
                .anyMatch(finding -> finding.contains("heap"))
                .anyMatch(finding -> finding.contains("descriptors"))
                .anyMatch(finding -> finding.contains("server-@default-listener has ended"));
    }
}
