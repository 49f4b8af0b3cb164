package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.Decision;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.server.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo on a real server: its worker works, its workflow runs, and a human decides. */
class DemoTest {

    @TempDir
    Path directory;

    private RunningServer start(DevSetup setup) {
        var demo = Demo.create();
        return demo.on(Server.start(demo.in(setup.config())));
    }

    private static NonbisClient dev(RunningServer server, DevSetup setup) {
        return NonbisClient.builder(server.url(), setup.token()).build();
    }

    private static Map<String, String> runs(NonbisClient client) {
        var states = new TreeMap<String, String>();
        for (var run : client.listRuns(Query.ALL).answer().body().path("items")) {
            states.put(run.path("run_id").asString(), run.path("state").asString());
        }
        return states;
    }

    private static void await(Supplier<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition::get);
    }

    @Test
    void the_demo_s_runs_end_once_a_human_has_agreed_and_a_second_start_makes_no_more() {
        var setup = DevSetup.of(directory, 0, 0);
        try (var server = start(setup)) {
            var client = dev(server, setup);
            await(() -> runs(client).values().containsAll(java.util.Set.of("SUCCEEDED", "WAITING")));
            var waiting = client.listApprovals(Query.ALL)
                    .answer()
                    .body()
                    .path("items")
                    .path(0);
            client.approve(waiting.path("job_id").asString(), Decision.PLAIN);
            await(() -> runs(client).values().stream().allMatch("SUCCEEDED"::equals));
            assertThat(runs(client)).hasSize(2);

            var flaky = client.submitJob(JobSubmission.to("job.demo.flaky"));
            await(() ->
                    client.getJob(flaky.jobId()).body().path("state").asString().equals("SUCCEEDED"));
            assertThat(client.getJob(flaky.jobId()).body().path("executions").asInt())
                    .isEqualTo(2);
        }
        try (var server = start(setup)) {
            assertThat(runs(dev(server, setup))).hasSize(2);
        }
    }
}
