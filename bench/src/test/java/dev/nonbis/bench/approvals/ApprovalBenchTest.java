package dev.nonbis.bench.approvals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.measure.WrongAnswers;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ApprovalBenchTest {

    private static final int JOBS = 60;

    @Test
    void every_phase_is_measured_in_terms_of_the_no_op_and_no_decision_is_made_twice() throws IOException {
        var report = measure(false);

        var stage = report.stages().getFirst();
        assertThat(stage.phases()).extracting("name").containsExactly("no-op", "decision", "replay", "conflict");
        for (var phase : stage.phases().subList(1, 4)) {
            assertThat(phase.medianRatio()).isPresent();
            assertThat(phase.rates()).hasSize(2).allMatch(rate -> rate > 0);
        }
        assertThat(stage.phase("decision").operations()).isBetween(2L, (long) JOBS);
        assertThat(stage.keysAfter() - stage.keysBefore())
                .isEqualTo(stage.phase("decision").operations());
    }

    @Test
    void a_server_that_decides_anew_ends_the_bench() {
        assertThatThrownBy(() -> measure(true))
                .isInstanceOf(WrongAnswers.class)
                .hasMessageContaining("expected 200 replayed, got 200");
    }

    private static Report measure(boolean forgetful) throws IOException {
        try (var server = new FakeApprovals(forgetful)) {
            var plan = new ApprovalBench.Plan(4, 2, Duration.ofMillis(200), Duration.ofMillis(50), JOBS);
            var subject = new Subject(server.address(), "token", Optional.empty());
            return new ApprovalBench(plan, subject, words -> {}).run();
        }
    }
}
