package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.torture.FakePlane.Defect;
import dev.nonbis.bench.torture.Violation.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CampaignOnFakeTest {

    @Test
    void a_server_that_keeps_its_promises_passes() throws Exception {
        var report = campaign(Defect.NONE);

        assertThat(report.firstViolations()).isEmpty();
        assertThat(report.clean()).isTrue();
        assertThat(report.counts().acknowledged()).isPositive();
        assertThat(report.counts().replaysVerified()).isPositive();
        assertThat(report.counts().mismatchesRefused()).isPositive();
        assertThat(report.counts().cancelled()).isPositive();
        assertThat(report.counts().auditEvents()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "FORGETS_ACKNOWLEDGED_JOBS, ACKNOWLEDGED_IS_KEPT",
        "FORGETS_KEYS, ACKNOWLEDGED_IS_KEPT",
        "FORGETS_KEYS, ONE_ANSWER_PER_KEY",
        "IGNORES_THE_LIMIT, RUN_LIMIT_HOLDS",
        "AUDITS_REPLAYS, ONE_AUDIT_EVENT_PER_EFFECT",
        "BREAKS_THE_CHAIN, AUDIT_CHAIN_VERIFIES",
        "SHOWS_FOREIGN_OBJECTS, TENANTS_ARE_APART",
        "ACCEPTS_OTHER_BODIES, MISMATCH_IS_REFUSED",
        "MAKES_MISTAKES, NEVER_A_MISTAKE",
        "MAKES_MISTAKES_IN_LISTS, NEVER_A_MISTAKE"
    })
    void a_server_that_breaks_a_promise_is_caught(Defect defect, Rule rule) throws Exception {
        var report = campaign(defect);

        assertThat(report.clean()).isFalse();
        assertThat(rules(report)).contains(rule);
        assertThat(report.asText()).contains(rule.name()).contains("seed 7");
        assertThat(report.asJson()).contains(rule.name());
    }

    private static Set<Rule> rules(CampaignReport report) {
        return report.firstViolations().stream().map(Violation::rule).collect(Collectors.toSet());
    }

    private static CampaignReport campaign(Defect defect) throws IOException, InterruptedException {
        try (var plane = new FakePlane(defect)) {
            return new KillCampaign(
                            new KillCampaign.Plan(
                                    KillCampaign.Blows.kills(2),
                                    7,
                                    4,
                                    3,
                                    new KillCampaign.Life(Duration.ofMillis(200), 400)),
                            plane,
                            words -> {})
                    .run();
        }
    }
}
