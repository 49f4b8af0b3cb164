package dev.nonbis.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServerDirectoryTest {

    @Test
    void failed_requests_and_failed_background_work_are_mistakes_and_troubles_from_outside_are_none() throws Exception {
        try (var directory = ServerDirectory.create(List.of())) {
            assertThat(directory.mistakes()).isEmpty();

            Files.writeString(directory.log(), """
                    2026-01-01T00:00:00.000000Z SEVERE dev.nonbis.server.http.Router: request req_1 failed request_id=req_1
                    java.lang.IllegalStateException: it failed
                    2026-01-01T00:00:00.000000Z SEVERE dev.nonbis.server.loop.Loop: dispatch failed
                    2026-01-01T00:00:00.000000Z SEVERE dev.nonbis.server.metrics.DispatchMetrics: job job_1 of acme cannot be moved and is set aside job_id=job_1
                    2026-01-01T00:00:00.000000Z WARNING dev.nonbis.server.loop.Loop: dispatch waits for the store: it failed
                    2026-01-01T00:00:00.000000Z SEVERE dev.nonbis.server.Server: the store failed in a way; the server ends now
                    """);

            assertThat(directory.mistakes()).hasSize(3).first().asString().contains("request req_1 failed");
        }
    }
}
