package dev.nonbis.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.judge.Guarantee;
import dev.nonbis.bench.process.BuiltServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PowerCampaignTest {

    private static final Duration LOADED = Duration.ofSeconds(2);

    @Test
    void what_was_acknowledged_before_a_power_failure_is_there_and_answered_alike() throws Exception {
        var report = campaign(1, true);

        assertThat(report.violations()).as(report::asText).isEmpty();
        assertThat(report.acknowledged()).isPositive();
    }

    @Test
    void a_disk_that_does_not_keep_what_it_says_it_keeps_is_found_out() throws Exception {
        var report = campaign(1, false);

        assertThat(report.violations()).anyMatch(violation -> violation.guarantee() == Guarantee.G2);
    }

    private static FaultReport campaign(int images, boolean honest) throws IOException, InterruptedException {
        var command = BuiltServer.command();
        Machine.requireDisk();
        return new PowerCampaign(command, words -> {}).run(new PowerCampaign.Plan(images, LOADED, honest, 20_260_101));
    }
}
