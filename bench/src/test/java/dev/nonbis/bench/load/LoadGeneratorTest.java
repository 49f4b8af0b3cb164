package dev.nonbis.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.torture.FakePlane;
import dev.nonbis.bench.torture.FakePlane.Defect;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoadGeneratorTest {

    private final FakePlane server = new FakePlane(Defect.NONE);
    private InetSocketAddress address = new InetSocketAddress(0);

    LoadGeneratorTest() throws IOException {}

    @BeforeEach
    void start() throws IOException {
        address = server.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void every_request_of_a_counted_phase_is_sent_and_answered_once() throws IOException {
        try (var generator = LoadGenerator.connect(address, 8)) {
            var fresh = generator.run(jobs(new long[1], new Expected(200, false)), Span.ofRequests(1_000));

            assertThat(fresh.operations()).isEqualTo(1_000);
            assertThat(fresh.wrong().count()).isZero();
            assertThat(fresh.perSecond()).isPositive();
            assertThat(fresh.latencyNanos().getMaxValue()).isPositive();
        }
    }

    @Test
    void a_replay_where_a_fresh_answer_is_expected_is_counted_and_shown() throws IOException {
        try (var generator = LoadGenerator.connect(address, 4)) {
            generator.run(jobs(new long[1], new Expected(200, false)), Span.ofRequests(100));

            var again = generator.run(jobs(new long[1], new Expected(200, false)), Span.ofRequests(100));
            var replay = generator.run(jobs(new long[1], new Expected(200, true)), Span.ofRequests(100));

            assertThat(again.wrong().count()).isEqualTo(100);
            assertThat(again.wrong().first())
                    .hasSize(5)
                    .allSatisfy(sample -> assertThat(sample)
                            .contains("expected 200 not replayed, got 200 replayed")
                            .contains("job_"));
            assertThat(replay.wrong().count()).isZero();
        }
    }

    @Test
    void another_status_is_counted() throws IOException {
        try (var generator = LoadGenerator.connect(address, 4)) {
            var refused = generator.run(jobs(new long[1], new Expected(422, false)), Span.ofRequests(10));

            assertThat(refused.wrong().count()).isEqualTo(10);
        }
    }

    @Test
    void a_server_that_dies_ends_the_phase_with_an_error() throws IOException {
        try (var generator = LoadGenerator.connect(address, 4)) {
            generator.run(jobs(new long[1], new Expected(200, false)), Span.ofRequests(10));
            server.kill();

            assertThatThrownBy(() -> generator.run(
                            jobs(new long[1], new Expected(200, true)), Span.lasting(Duration.ofSeconds(5))))
                    .isInstanceOf(IOException.class);
        }
    }

    private static Phase jobs(long[] number, Expected expected) {
        var template = RequestTemplate.of(
                """
                POST /api/v1/jobs HTTP/1.1
                Host: localhost
                Authorization: Bearer %s
                Idempotency-Key: "k-%s"
                """.formatted(Credential.forTenant("acme").token(), RequestTemplate.SLOT),
                "{\"topic\":\"job.default\",\"input\":{\"n\":\"" + RequestTemplate.SLOT + "\"}}");
        return new Phase("jobs", into -> template.write(number[0]++, into), expected);
    }
}
