package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.cli.NonbisCommand;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.cli.Terminal;
import dev.nonbis.testkit.SimulatedClock;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drill at the edge of the window against a real server, whose clock is moved instead of waited for. */
class DrillWindowTest {

    @TempDir
    Path directory;

    @Test
    void each_repetition_is_absorbed_by_the_layer_that_the_table_names() throws Exception {
        var clock = new SimulatedClock(Instant.parse("2026-03-01T12:00:00Z"));
        var out = new ByteArrayOutputStream();
        try (var server = new RealServer(directory, clock)) {
            var terminal = new Terminal(
                    new Terminal.Streams(
                            InputStream.nullInputStream(),
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)),
                    Map.of("NONBIS_URL", server.url().toString(), "NONBIS_API_KEY", RealServer.ACME),
                    directory,
                    wait -> {
                        clock.advance(wait);
                        // The server's loops run in real time.
                        Thread.sleep(20);
                    },
                    clock);
            int exit = new NonbisCommand(terminal, config -> {
                        throw new StartRefused("no server", "none is needed here");
                    })
                    .run("drill", "window", "--hour");

            assertThat(out.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceAll(" +", " ")))
                    .containsExactly(
                            "at step expected saw",
                            "+30s publish again broker_window broker_window ok",
                            "+119s publish again broker_window broker_window ok",
                            "+121s publish again job_state job_state ok",
                            "+3600s submit again idempotency_key idempotency_key ok",
                            "+3600s count executions 1 1 ok");
            assertThat(exit).isZero();
        }
    }
}
