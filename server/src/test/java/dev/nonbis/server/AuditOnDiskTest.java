package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.cli.NonbisCommand;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The commands that copy and check a log, against a real server. */
class AuditOnDiskTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private RealServer server;

    @BeforeEach
    void start() {
        server = new RealServer(directory);
        for (int i = 0; i < 20; i++) {
            server.post("/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"job.default\"}");
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_log_whose_beginning_was_dropped_verifies_from_its_checkpoint() throws Exception {
        run(out, "audit", "checkpoint");
        long sealed = server.get("/api/v1/audit/seal", RealServer.ACME)
                .json()
                .object("checkpoint")
                .orElseThrow()
                .integer("seq")
                .orElseThrow();
        assertThat(server.post(
                                "/api/v1/audit/drop",
                                RealServer.ACME,
                                "",
                                "{\"through\":" + sealed + ",\"reason\":\"kept for a year\"}")
                        .status())
                .isEqualTo(200);
        server.post("/api/v1/jobs", RealServer.ACME, "", "{\"topic\":\"job.default\"}");

        assertThat(run(out, "audit", "verify"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();

        var copy = new ByteArrayOutputStream();
        assertThat(run(copy, "audit", "export", "--checkpoint", "checkpoint.json"))
                .isZero();
        var text = copy.toString(StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("log.jsonl"), text);
        Files.writeString(
                directory.resolve("changed.jsonl"), text.replaceFirst("\"subject\":\"job_", "\"subject\":\"job_0"));
        assertThat(run(out, "audit", "verify", "log.jsonl", "--checkpoint", "checkpoint.json"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(run(out, "audit", "verify", "changed.jsonl", "--checkpoint", "checkpoint.json"))
                .isEqualTo(1);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "the device that is always full is Linux's")
    void an_export_to_a_full_disk_fails_and_says_so() throws Exception {
        try (var full = new FileOutputStream("/dev/full")) {
            assertThat(run(full, "audit", "export")).isEqualTo(1);
        }

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("could not be written to its end", "make space");
    }

    private int run(OutputStream to, String... args) {
        var terminal = new Terminal(
                new Terminal.Streams(
                        InputStream.nullInputStream(),
                        new PrintStream(to, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                Map.of("NONBIS_URL", server.url().toString(), "NONBIS_API_KEY", RealServer.ACME),
                directory,
                wait -> {},
                InstantSource.system());
        return new NonbisCommand(terminal, config -> {
                    throw new StartRefused("no server", "none is needed here");
                })
                .run(args);
    }
}
