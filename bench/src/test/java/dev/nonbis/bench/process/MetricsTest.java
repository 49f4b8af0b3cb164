package dev.nonbis.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MetricsTest {

    private static final String TEXT = """
            # HELP nonbis_store_commit_seconds How long commits take
            # TYPE nonbis_store_commit_seconds summary
            nonbis_store_commit_seconds_count 7.0
            nonbis_store_commit_seconds_sum 0.25
            http_seconds_count{route="/a}b",status="200"} 3.0
            http_seconds_count{route="/c",status="200"} 4.0
            limit +Inf
            """;

    @Test
    void counters_are_summed_over_their_labels() {
        var metrics = Metrics.parse(TEXT);

        assertThat(metrics.value("nonbis_store_commit_seconds_count")).hasValue(7);
        assertThat(metrics.value("http_seconds_count")).hasValue(7);
        assertThat(metrics.value("absent")).isEmpty();
    }

    @Test
    void growth_is_taken_from_an_earlier_reading() {
        var later = Metrics.parse("nonbis_store_commit_seconds_count 10");

        assertThat(later.since(Metrics.parse(TEXT), "nonbis_store_commit_seconds_count"))
                .hasValue(3);
        assertThat(later.since(Metrics.parse(TEXT), "limit")).isEmpty();
    }

    @Test
    void memory_is_read_from_the_status_file() {
        assertThat(ProcessFacts.kib("VmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n", "VmRSS:"))
                .hasValue(102_400);
        assertThat(ProcessFacts.kib("", "VmRSS:")).isEmpty();
    }
}
