package dev.nonbis.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.process.BuiltServer;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpFuzzerTest {

    private static final int REQUESTS = 4_000;

    @Test
    void no_request_makes_the_server_fail_hang_or_tell_a_credential() throws Exception {
        var command = BuiltServer.command();
        var credentials = List.of(Credential.forTenant("acme"), Credential.forTenant("globex"));
        try (var directory = ServerDirectory.create(credentials);
                var process = ServerProcess.start(command, directory)) {
            var report = new HttpFuzzer(
                            directory.ports().apiAddress(),
                            credentials.stream().map(Credential::token).toList(),
                            20_260_101)
                    .send(REQUESTS);

            assertThat(report.findings()).isEmpty();
            assertThat(process.alive()).isTrue();
            // It does get through to the operations, and it does get refused.
            assertThat(report.statuses()).containsKeys(200, 400, 401, 403, 404, 415, 422);
        }
    }
}
