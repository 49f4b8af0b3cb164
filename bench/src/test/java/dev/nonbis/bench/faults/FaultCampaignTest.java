package dev.nonbis.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.faults.FaultCampaign.Kind;
import dev.nonbis.bench.process.BuiltServer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class FaultCampaignTest {

    private static final long SEED = 20_260_101;

    // At the same time, because most of the time each of them waits.
    @Test
    void every_guarantee_holds_through_each_kind_of_fault() throws Exception {
        var command = BuiltServer.command();
        Map<Kind, Future<FaultReport>> reports = new LinkedHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var kind : Kind.values()) {
                if (Machine.has(kind)) {
                    var campaign = new FaultCampaign(kind, command, words -> {});
                    reports.put(kind, threads.submit(() -> campaign.run(1, SEED)));
                }
            }
        }
        for (var report : reports.values()) {
            assertThat(report.get().violations()).as(report.get()::asText).isEmpty();
            assertThat(report.get().acknowledged()).as(report.get()::asText).isPositive();
        }
    }
}
