package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DescriptorsTest {

    private static final int LIMIT = 256;

    @TempDir
    Path directory;

    @Test
    void connections_leave_descriptors_for_the_store() {
        assertThat(Descriptors.connections(4096, 1024, 100)).isEqualTo(924 - 192);
        assertThat(Descriptors.connections(4096, 256, 100)).isEqualTo(156 - 39);
        assertThat(Descriptors.connections(4096, 1 << 20, 100)).isEqualTo(4096);
        assertThat(Descriptors.connections(4096, 10, 100)).isEqualTo(1);
    }

    @Test
    void a_server_goes_on_when_there_are_more_sockets_than_descriptors() throws Exception {
        var command = new String[] {
            "/bin/sh",
            "-c",
            "ulimit -n " + LIMIT + " && exec \"$@\"",
            "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Serving.class.getName(),
            directory.toString()
        };
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var sockets = new ArrayList<Socket>();
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var url = URI.create(Objects.requireNonNull(process.inputReader().readLine(), "the child did not start"));
            for (int i = 0; i < 2 * LIMIT; i++) {
                sockets.add(new Socket(url.getHost(), url.getPort()));
                if (i % 50 == 0) {
                    assertThat(submit(client, url, i)).isEqualTo(200);
                }
            }

            assertThat(submit(client, url, -1)).isEqualTo(200);
            close(sockets);
            await().atMost(Duration.ofSeconds(30)).until(() -> submit(client, url, -2) == 200);
            assertThat(status(client, HttpRequest.newBuilder(url.resolve("/livez"))))
                    .isEqualTo(200);
        } finally {
            close(sockets);
            process.destroyForcibly().waitFor();
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }

    private static int submit(HttpClient client, URI url, int number) throws Exception {
        return status(
                client,
                HttpRequest.newBuilder(url.resolve("/api/v1/jobs"))
                        .header("Authorization", "Bearer " + RealServer.ACME)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "job-" + number)
                        .POST(HttpRequest.BodyPublishers.ofString("{\"topic\":\"job.default\",\"input\":{}}")));
    }

    private static int status(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString())
                .statusCode();
    }

    /** The server, in a process of its own. */
    static final class Serving {

        public static void main(String[] args) throws InterruptedException {
            var server = new RealServer(Path.of(args[0]));
            System.out.println(server.url());
            new CountDownLatch(1).await();
        }
    }
}
