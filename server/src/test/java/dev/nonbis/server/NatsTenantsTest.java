package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.nats.NatsCarrier;
import dev.nonbis.client.nats.NatsTasks;
import dev.nonbis.client.worker.Outcome;
import dev.nonbis.client.worker.Worker;
import dev.nonbis.server.config.BusUrl;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tenants on one broker, with the permissions of the sample that we recommend. */
@EveryRelease
final class NatsTenantsTest {

    private static final List<String> WHAT_GLOBEX_TRIES =
            List.of("_INBOX.>", "_INBOX_acme.>", "_NONBIS_INBOX.>", ">", "job.>", "sys.>", "$JS.API.>", "nonbis.api");

    @TempDir
    Path directory;

    private NatsServer broker() throws Exception {
        var sample = Files.readString(Markdown.PROJECT.resolve("deploy/nats/nats.conf"))
                .replaceAll("(?m)^(listen|jetstream):.*$", "");
        var file = Files.writeString(directory.resolve("nats.conf"), sample);
        return NatsServer.start(Files.createDirectories(directory.resolve("broker")), List.of("-c", file.toString()));
    }

    private static String url(NatsServer broker, String user, String password) {
        return "nats://" + user + ":" + password + "@127.0.0.1:" + broker.port();
    }

    private static Connection worker(NatsServer broker, String tenant, String password) throws Exception {
        return Nats.connect(new Options.Builder()
                .server(url(broker, tenant, password))
                .inboxPrefix(NatsCarrier.inboxPrefix(tenant))
                .build());
    }

    @Test
    void with_the_permissions_of_the_sample_both_work_and_neither_overhears_the_other() throws Exception {
        try (var broker = broker();
                var server = new RealServer(
                        directory,
                        0,
                        new BusUrl.Nats(
                                List.of(url(broker, "nonbis", "BUS-PASSWORD")),
                                new BusUrl.NatsOptions(
                                        Optional.empty(),
                                        Optional.empty(),
                                        1,
                                        BusUrl.Dedup.WINDOW,
                                        "_NONBIS_INBOX",
                                        new BusUrl.NatsApiOptions(
                                                List.of(url(broker, "nonbis-api", "API-PASSWORD")),
                                                Optional.empty(),
                                                List.of("_INBOX_{tenant}")))))) {
            assertThat(server.get("/readyz", RealServer.ACME).status()).isEqualTo(200);
            var acme = worker(broker, "acme", "ACME-PASSWORD");
            var globex = worker(broker, "globex", "GLOBEX-PASSWORD");
            var heard = new CopyOnWriteArrayList<String>();
            var ears = globex.createDispatcher(message -> heard.add(message.getSubject()));
            WHAT_GLOBEX_TRIES.forEach(ears::subscribe);
            var done = new CopyOnWriteArrayList<String>();
            try (var ofAcme = start(acme, "acme", RealServer.ACME, done);
                    var ofGlobex = start(globex, "globex", RealServer.GLOBEX, done)) {
                assertThat(ofAcme).isNotNull();
                assertThat(ofGlobex).isNotNull();
                for (int i = 0; i < 5; i++) {
                    submit(server, RealServer.ACME, "acme-" + i);
                    submit(server, RealServer.GLOBEX, "globex-" + i);
                }
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> done.size() == 10);
            }
            // Below another's inbox nobody is answered either.
            globex.publish("nonbis.api", "_INBOX_acme.x", new byte[0]);
            acme.close();
            globex.close();
            assertThat(done).hasSize(10).doesNotHaveDuplicates();
            assertThat(heard).isEmpty();
        }
    }

    private static void submit(RealServer server, String token, String prompt) {
        NonbisClient.builder(server.url(), token)
                .build()
                .submitJob(JobSubmission.to("job.default").prompt(prompt).withKey(prompt));
    }

    private static Worker start(Connection nats, String tenant, String token, List<String> done) {
        return Worker.builder(NonbisClient.over(new NatsCarrier(nats, Duration.ofSeconds(5)), token))
                .tasksFrom(new NatsTasks(nats, tenant))
                .workerId(tenant)
                .topics("job.default")
                .pollWait(Duration.ofSeconds(2))
                .start(task -> {
                    assertThat(task.prompt())
                            .hasValueSatisfying(prompt -> assertThat(prompt).startsWith(tenant));
                    done.add(task.jobId());
                    return Outcome.succeeded();
                });
    }
}
