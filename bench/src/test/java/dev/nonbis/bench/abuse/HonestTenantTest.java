package dev.nonbis.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.net.TcpProxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A wrong answer and a stall that are planted between a real server and the honest tenant must be found. */
@Tag("alone")
final class HonestTenantTest {

    private static final Duration STALL = Duration.ofSeconds(2);

    private ServerDirectory directory;
    private ServerProcess process;
    private TcpProxy proxy;
    private HonestTenant honest;

    @BeforeEach
    void start() throws Exception {
        directory = ServerDirectory.create(List.of(Credential.forTenant(HonestTenant.TENANT)));
        process = ServerProcess.start(BuiltServer.command(), directory);
        proxy = TcpProxy.to(directory.ports().api());
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port());
        honest = new HonestTenant(address, 1, STALL, process::alive);
        honest.begin();
        await().until(() -> honest.requests() > 50);
    }

    @AfterEach
    void end() throws Exception {
        honest.close();
        proxy.close();
        process.close();
        directory.close();
    }

    @Test
    void a_server_that_answers_well_is_found_right_by_tenant_and_judge() throws Exception {
        honest.catchUp(Duration.ofSeconds(20));

        assertThat(honest.judge()).isEmpty();
        assertThat(honest.mistakes()).allMatch(finding -> finding.contains(" waited "));
    }

    @Test
    void a_replay_that_is_not_the_first_answer_is_found_by_tenant_and_judge() throws Exception {
        proxy.reword("\"state\":\"PENDING\"", "\"state\":\"RUNNING\"");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> honest.mistakes().stream().anyMatch(finding -> finding.startsWith("a replay of")));
        // To the judge an altered state is a lost write (G2) or another answer to the same request (G3).
        assertThat(honest.judge()).anyMatch(finding -> finding.contains("G2") || finding.contains("G3"));
    }

    @Test
    void a_stall_is_felt_by_all_who_were_due_meanwhile_and_reported() throws Exception {
        honest.felt();
        proxy.refuse();
        await().until(() -> honest.overdue().compareTo(STALL) > 0);
        proxy.pass();
        honest.catchUp(Duration.ofSeconds(20));

        assertThat(honest.mistakes()).anyMatch(finding -> finding.contains(" waited "));
        assertThat(honest.felt().micros().getCountBetweenValues(500_000, Long.MAX_VALUE / 2))
                .isGreaterThan(20);
    }
}
