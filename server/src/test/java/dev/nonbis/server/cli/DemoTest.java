package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.Decision;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import dev.nonbis.server.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo on a real server: its worker works, its workflows run, a human decides, and its client repeats itself. */
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
            await(() -> runs(client).values().stream()
                    .sorted()
                    .toList()
                    .equals(List.of("SUCCEEDED", "WAITING", "WAITING")));
            for (var waiting : client.listApprovals(Query.ALL).answer().body().path("items")) {
                client.approve(waiting.path("job_id").asString(), Decision.PLAIN);
            }
            await(() -> runs(client).values().stream().allMatch("SUCCEEDED"::equals));
            assertThat(runs(client)).hasSize(3);

            var flaky = client.submitJob(JobSubmission.to("job.demo.flaky"));
            await(() ->
                    client.getJob(flaky.jobId()).body().path("state").asString().equals("SUCCEEDED"));
            assertThat(client.getJob(flaky.jobId()).body().path("executions").asInt())
                    .isEqualTo(2);
        }
        try (var server = start(setup)) {
            assertThat(runs(dev(server, setup))).hasSize(3);
        }
    }

    @Test
    void its_client_repeats_itself_and_is_stopped() {
        var setup = DevSetup.of(directory, 0, 0);
        try (var server = start(setup)) {
            var client = dev(server, setup);
            await(() -> layers(client).containsAll(Set.of("idempotency_key")));
            var jobs = client.listJobs(Query.ALL.and("label", "from:demo"))
                    .answer()
                    .body()
                    .path("items");
            assertThat(jobs.size()).isEqualTo(1);
        }
    }

    /** The layers that stopped something, by the timelines of the jobs of the demo's client. */
    private static Set<String> layers(NonbisClient client) {
        var layers = new TreeSet<String>();
        for (var job : client.listJobs(Query.ALL.and("label", "from:demo"))
                .answer()
                .body()
                .path("items")) {
            client.jobTimeline(job.path("job_id").asString())
                    .body()
                    .path("items")
                    .forEach(
                            entry -> layers.add(entry.path("data").path("layer").asString("")));
        }
        return layers;
    }
}
