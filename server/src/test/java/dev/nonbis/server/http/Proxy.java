package dev.nonbis.server.http;

import dev.nonbis.testkit.service.Installed;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A proxy as it comes with the system, in front of a server and as lenient as it can be made. It marks each request that it
 * forwards, keeps its connections to the server, and writes a line for each request.
 */
final class Proxy implements AutoCloseable {

    static final String MARK = "x-mark";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String NGINX = """
            daemon off;
            user root;
            worker_processes 1;
            pid DIRECTORY/nginx.pid;
            error_log DIRECTORY/error.log;
            events { worker_connections 256; }
            http {
              log_format marks '$request_id $upstream_status $request_method $request_uri';
              access_log DIRECTORY/marks.log marks;
              client_body_temp_path DIRECTORY/body;
              proxy_temp_path DIRECTORY/proxy;
              fastcgi_temp_path DIRECTORY/fastcgi;
              uwsgi_temp_path DIRECTORY/uwsgi;
              scgi_temp_path DIRECTORY/scgi;
              client_max_body_size 4m;
              large_client_header_buffers 4 64k;
              ignore_invalid_headers off;
              underscores_in_headers on;
              merge_slashes off;
              upstream nonbis { server 127.0.0.1:SERVER; keepalive 4; }
              server {
                listen 127.0.0.1:PORT;
                location / {
                  proxy_pass http://nonbis;
                  proxy_http_version 1.1;
                  proxy_request_buffering off;
                  proxy_next_upstream off;
                  proxy_set_header Connection "";
                  proxy_set_header Host $http_host;
                  proxy_set_header X-Mark $request_id;
                }
              }
            }
            """;

    private static final String HAPROXY = """
            global
              log stdout format raw local0
              maxconn 256
            defaults
              mode http
              log global
              log-format "%ID %ST %HM %HU"
              timeout connect 5s
              timeout client 10s
              timeout server 10s
              option accept-invalid-http-request
              option accept-invalid-http-response
              http-reuse always
              retries 0
            frontend front
              bind 127.0.0.1:PORT
              unique-id-format %[uuid()]
              unique-id-header X-Mark
              default_backend nonbis
            backend nonbis
              server nonbis 127.0.0.1:SERVER
            """;

    /** One request that the proxy read. */
    record Forwarded(String mark, String status, String method) {}

    private final Process process;
    private final Path log;
    private final int port;

    private Proxy(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    static Proxy nginx(Path directory, int server) throws IOException {
        var program = Installed.require("nginx");
        int port = freePort();
        var config = write(directory, NGINX, port, server);
        return start(List.of(program.toString(), "-p", directory.toString(), "-c", config.toString()), directory, port);
    }

    static Proxy haproxy(Path directory, int server) throws IOException {
        var program = Installed.require("haproxy");
        int port = freePort();
        var config = write(directory, HAPROXY, port, server);
        return start(List.of(program.toString(), "-db", "-f", config.toString()), directory, port);
    }

    private static Path write(Path directory, String text, int port, int server) throws IOException {
        var filled = text.replace("DIRECTORY", directory.toString())
                .replace("PORT", Integer.toString(port))
                .replace("SERVER", Integer.toString(server));
        return Files.writeString(directory.resolve("proxy.conf"), filled);
    }

    /** What nginx writes to its log, haproxy writes to its output. */
    private static Proxy start(List<String> command, Path directory, int port) throws IOException {
        var log = directory.resolve("marks.log").toFile();
        var process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .redirectError(new File(directory.toFile(), "stderr.log"))
                .start();
        var proxy = new Proxy(process, log.toPath(), port);
        Awaitility.await().atMost(PATIENCE).until(proxy::listens);
        return proxy;
    }

    private boolean listens() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("the proxy ended: " + Files.readString(log.resolveSibling("stderr.log")));
        }
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    /** Every line so far; a request that the proxy could not read has no method there and is left out. */
    List<Forwarded> forwarded() throws IOException {
        return Files.readAllLines(log, StandardCharsets.ISO_8859_1).stream()
                .map(line -> line.split(" ", 4))
                .filter(words -> words.length == 4)
                .map(words -> new Forwarded(words[0], words[1], words[2]))
                .toList();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
