package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.client.NonbisClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in the documentation are compiled as they stand there and run against a real server. */
class ExamplesTest {

    @TempDir
    Path directory;

    /** The one program of a page. */
    private Class<?> program(String page, String name) throws IOException, ReflectiveOperationException {
        var source = Markdown.of(Markdown.PROJECT.resolve(page)).blocks().stream()
                .filter(block -> block.language().equals("java"))
                .findFirst()
                .orElseThrow()
                .text();
        var file = Files.writeString(directory.resolve(name + ".java"), source);
        var classes = Files.createDirectories(directory.resolve(name));
        var complaints = new ByteArrayOutputStream();
        int status = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(
                        null,
                        null,
                        complaints,
                        "-proc:none",
                        "--release",
                        "17",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        file.toString());
        assertThat(status).as(complaints.toString(StandardCharsets.UTF_8)).isZero();
        var loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
        return loader.loadClass(name);
    }

    private static void run(Class<?> program, RealServer server) throws ReflectiveOperationException {
        program.getMethod("main", String[].class)
                .invoke(null, (Object) new String[] {server.url().toString(), RealServer.ACME});
    }

    private static String saidBy(Class<?> program, RealServer server) throws ReflectiveOperationException {
        var before = System.out;
        var said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            run(program, server);
        } finally {
            System.setOut(before);
        }
        return said.toString(StandardCharsets.UTF_8).strip();
    }

    @Test
    void the_client_s_example_submits_once_and_the_worker_s_example_does_the_work() throws Exception {
        var submit = program("docs/how-to/retry-safely.md", "SubmitRefund");
        var work = program("docs/how-to/write-a-worker.md", "RefundWorker");
        try (var server = new RealServer(directory)) {
            var first = saidBy(submit, server);
            assertThat(first).matches("job_\\w+ is new");
            var job = first.substring(0, first.indexOf(' '));
            assertThat(saidBy(submit, server)).isEqualTo(job + " from before");

            var worker = Thread.ofPlatform().start(() -> {
                try {
                    run(work, server);
                } catch (InvocationTargetException stopped) {
                    assertThat(stopped.getCause()).isInstanceOf(InterruptedException.class);
                } catch (ReflectiveOperationException e) {
                    throw new LinkageError("the program cannot be run", e);
                }
            });
            var client = NonbisClient.builder(server.url(), RealServer.ACME).build();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            client.getJob(job).body().path("state").asString().equals("SUCCEEDED"));
            assertThat(client.getJob(job)
                            .body()
                            .path("result")
                            .path("output")
                            .path("receipt")
                            .asString())
                    .isEqualTo("receipt-4711");
            worker.interrupt();
            worker.join();
        }
    }
}
