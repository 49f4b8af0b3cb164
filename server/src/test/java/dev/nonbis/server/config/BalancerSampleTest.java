package dev.nonbis.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The nginx configuration that {@code deploy/} ships, in a real nginx before servers whose answers are lost. */
final class BalancerSampleTest {

    private static final Path NGINX = Path.of("/usr/sbin/nginx");

    @TempDir
    Path directory;

    /** Reads a request and closes the connection without an answer. */
    private record Mute(ServerSocket socket, AtomicInteger requests) implements AutoCloseable {

        static Mute listening() throws IOException {
            var mute = new Mute(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()), new AtomicInteger());
            Thread.ofVirtual().start(mute::serve);
            return mute;
        }

        private void serve() {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    if (client.getInputStream().read(new byte[4096]) > 0) {
                        requests.incrementAndGet();
                    }
                } catch (IOException e) {
                    // Closed, or the balancer was quicker.
                }
            }
        }

        String address() {
            return "127.0.0.1:" + socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "POST", "GET"})
    void a_request_whose_answer_was_lost_reaches_one_server_once(String method) throws Exception {
        assumeTrue(Files.isExecutable(NGINX), "nginx is not installed");
        try (var first = Mute.listening();
                var second = Mute.listening();
                var third = Mute.listening()) {
            int port = freePort();
            var sample = Files.readString(Path.of("..", "deploy", "compose", "nginx.conf"), StandardCharsets.UTF_8)
                    .replace("server-1:7420", first.address())
                    .replace("server-2:7420", second.address())
                    .replace("server-3:7420", third.address())
                    .replace("listen 7420;", "listen 127.0.0.1:" + port + "; access_log off;");
            var config = Files.writeString(directory.resolve("nginx.conf"), sample);
            var nginx = new ProcessBuilder(
                            NGINX.toString(),
                            "-p",
                            directory.toString(),
                            "-c",
                            config.toString(),
                            "-e",
                            "stderr",
                            "-g",
                            "daemon off; master_process off; pid " + directory.resolve("pid") + ";")
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
            try (var client = HttpClient.newHttpClient()) {
                Awaitility.await().until(() -> accepts(port));
                var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/jobs"))
                        .method(method, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}"))
                        .build();

                assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(502);
                assertThat(first.requests().get()
                                + second.requests().get()
                                + third.requests().get())
                        .isEqualTo(1);
            } finally {
                nginx.destroy();
                nginx.waitFor();
            }
        }
    }

    private static boolean accepts(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
