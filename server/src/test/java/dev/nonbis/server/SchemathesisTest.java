package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Draws requests from the OpenAPI document with schemathesis, which {@code ./verify} installs, and compares the answers with it. */
final class SchemathesisTest {

    private static final long LONGEST_SECONDS = 300;

    /** Statuses, content types, headers and bodies are as described, and the server never fails. */
    private static final String CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,"
            + "response_headers_conformance,response_schema_conformance,unsupported_method";

    /** Long polls answer at once, so that requests do not wait for work that never comes. */
    private static final String HOOKS = """
            import schemathesis

            @schemathesis.hook
            def before_call(context, case, kwargs):
                for part in (case.query, case.body):
                    if isinstance(part, dict) and isinstance(part.get("wait_ms"), int):
                        part["wait_ms"] = min(part["wait_ms"], 1)
            """;

    @Test
    void every_answer_to_a_drawn_request_is_described(@TempDir Path directory) throws Exception {
        var program = program();
        try (var server = new RealServer(Files.createDirectory(directory.resolve("server")))) {
            Files.writeString(directory.resolve("hooks.py"), HOOKS);
            var output = directory.resolve("output.txt");
            var process = run(program, server, directory, output);
            boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();

            assertThat(ended)
                    .as("ended within %d s: %s", LONGEST_SECONDS, output)
                    .isTrue();
            assertThat(process.exitValue()).as(() -> findings(output)).isZero();
        }
    }

    private static Process run(Path program, RealServer server, Path directory, Path output) throws IOException {
        var command = List.of(
                program.toString(),
                "run",
                server.url().resolve("/openapi.json").toString(),
                "--header=Authorization: Bearer " + RealServer.ACME,
                "--exclude-operation-id=streamEvents",
                "--phases=examples,coverage,fuzzing",
                "--max-examples=8",
                "--seed=1841",
                "--checks=" + CHECKS,
                "--no-shrink",
                "--continue-on-failure",
                "--request-timeout=60",
                "--warnings=off");
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SCHEMATHESIS_HOOKS", "hooks");
        builder.environment().put("PYTHONPATH", directory.toString());
        builder.environment().put("NO_COLOR", "1");
        return builder.start();
    }

    private static String findings(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "no output: " + e;
        }
    }

    /** In the directory that {@code ./verify} names, or no test. */
    private static Path program() {
        var program = Optional.ofNullable(System.getenv("SCHEMATHESIS_PROGRAM")).map(Path::of);
        boolean installed = program.filter(Files::isExecutable).isPresent();
        if (!installed && "true".equals(System.getenv("CI"))) {
            fail("schemathesis is not installed, and CI needs every service");
        }
        assumeTrue(installed, "schemathesis is not installed, so no drawn request was compared with the document");
        return program.orElseThrow();
    }
}
