package dev.nonbis.bench.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.bench.admission.AdmissionTraffic.Order;
import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.ReportJson;
import dev.nonbis.bench.measure.ReportPlot;
import dev.nonbis.bench.measure.ReportTable;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.measure.Target;
import dev.nonbis.bench.measure.WrongAnswers;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.torture.FakePlane;
import dev.nonbis.bench.torture.FakePlane.Defect;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class AdmissionBenchTest {

    private static final long KEYS = 20_000;

    @Test
    void every_phase_is_measured_before_and_after_the_store_has_grown() throws IOException {
        var report = measure(Defect.NONE);

        assertThat(report.stages()).hasSize(2);
        assertThat(report.stages().getLast().keysBefore()).isGreaterThanOrEqualTo(KEYS);
        for (var stage : report.stages()) {
            assertThat(stage.phases()).extracting("name").containsExactly("no-op", "fresh", "replay", "mismatch");
            assertThat(stage.phase("fresh").medianRatio()).isPresent();
            assertThat(stage.phase("no-op").rates()).hasSize(3);
            assertThat(stage.phase("replay").rates()).hasSize(2);
        }
        assertThat(report.growth().getLast().keys()).isEqualTo(KEYS);
    }

    @Test
    void a_turn_of_the_warm_up_adds_few_keys() throws IOException {
        try (var server = new FakePlane(Defect.NONE)) {
            var subject =
                    new Subject(server.start(), Credential.forTenant("acme").token(), Optional.empty());
            var warmUp = new AdmissionTraffic(subject, "test", Order.RISING).warmUp(true);

            assertThat(warmUp.phases())
                    .filteredOn(phase -> phase.name().equals("fresh"))
                    .singleElement()
                    .satisfies(
                            fresh -> assertThat(fresh.available().getAsLong()).isLessThanOrEqualTo(30_000));
        }
    }

    @Test
    void a_machine_that_becomes_slower_between_two_stages_is_no_fault_of_the_store() throws IOException {
        var report = measure(Defect.NONE);

        var small = report.stages().getFirst().phase("replay").medianRatio().orElseThrow();
        var large = report.stages().getLast().phase("replay").medianRatio().orElseThrow();
        assertThat(report.targets())
                .filteredOn(target -> target.name().startsWith("replays, "))
                .singleElement()
                .extracting(Target::got)
                .isEqualTo(OptionalDouble.of(large / small));
    }

    @Test
    void the_report_reads_as_table_json_and_picture() throws IOException {
        var report = measure(Defect.NONE);

        assertThat(ReportTable.of(report)).contains("no-op", "fresh", "replay", "mismatch", "n/a", "targets");
        assertThat(ReportJson.of(report))
                .contains("\"per_second\"", "\"growth\"", "\"targets\"", "\"peak_resident_mib\" : null");
        assertThat(ReportPlot.of(report))
                .startsWith("<svg")
                .contains("keys in the store", "polyline")
                .endsWith("</svg>\n");
    }

    @Test
    void a_wrong_answer_ends_the_bench() {
        assertThatThrownBy(() -> measure(Defect.ACCEPTS_OTHER_BODIES))
                .isInstanceOf(WrongAnswers.class)
                .hasMessageContaining("mismatch")
                .hasMessageContaining("expected 422 not replayed, got 200 replayed");
    }

    /** Replays of keys that nobody has sent would be wrong answers. */
    @Test
    void scattered_keys_are_replayed_too() throws IOException {
        var report = measure(Defect.NONE, Order.SCATTERED);

        assertThat(ReportTable.of(report)).contains("scattered keys");
        assertThat(report.growth().getLast().keys()).isEqualTo(KEYS);
    }

    private static Report measure(Defect defect) throws IOException {
        return measure(defect, Order.RISING);
    }

    private static Report measure(Defect defect, Order order) throws IOException {
        try (var server = new FakePlane(defect)) {
            var subject =
                    new Subject(server.start(), Credential.forTenant("acme").token(), Optional.empty());
            var plan = new AdmissionBench.Plan(4, 2, Duration.ofMillis(40), Duration.ofMillis(20), KEYS);
            return new AdmissionBench(plan, subject, new AdmissionTraffic(subject, "test", order), words -> {}).run();
        }
    }
}
