package dev.nonbis.server.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real HTTP server that gives the test's answers in order; when they run out, it hangs up. */
final class ScriptedApi implements AutoCloseable {

    private record Reply(int status, String body, boolean replayed) {}

    private final HttpServer server;
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    ScriptedApi() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Method, path, authorization, key and body of each request, separated by spaces. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    synchronized ScriptedApi answers(String body) {
        replies.add(new Reply(200, body, false));
        return this;
    }

    synchronized ScriptedApi replays(String body) {
        replies.add(new Reply(200, body, true));
        return this;
    }

    synchronized ScriptedApi refuses(int status, String code, String retry) {
        var body = "{\"code\":\"" + code + "\",\"retry\":\"" + retry + "\",\"detail\":\"the detail\"}";
        replies.add(new Reply(status, body, false));
        return this;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        requests.add(String.join(
                " ",
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                headers.getFirst("Authorization"),
                headers.getOrDefault("Idempotency-Key", List.of("-")).getFirst(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        var reply = replies.poll();
        if (reply == null) {
            exchange.close();
            return;
        }
        exchange.getResponseHeaders().set("Nonbis-Request-Id", "req_7");
        if (reply.replayed()) {
            exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            exchange.getResponseHeaders().set("Nonbis-Blocked-By", "idempotency_key");
        }
        var bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
