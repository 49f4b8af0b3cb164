package dev.nonbis.client;

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
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real HTTP server that answers what the test wrote down, one line per request, and remembers what it was sent. */
final class ScriptedServer implements AutoCloseable {

    /** One request as it arrived. */
    record Seen(String method, String path, Optional<String> key, Optional<String> authorization, String body) {}

    private interface Reply {
        void to(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final Deque<Reply> script = new ArrayDeque<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    ScriptedServer() {
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

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    ScriptedServer answers(int status, String body, String... headers) {
        return then(exchange -> {
            for (var i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.getResponseHeaders().set("Nonbis-Request-Id", "req_" + seen.size());
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    ScriptedServer refuses(int status, String code, String retry, String... headers) {
        return answers(
                status,
                "{\"code\":\"%s\",\"retry\":\"%s\",\"title\":\"T\",\"detail\":\"D\"}".formatted(code, retry),
                headers);
    }

    /** Takes the whole request, then hangs up without a word. */
    ScriptedServer hangsUp() {
        return then(HttpExchange::close);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private synchronized ScriptedServer then(Reply reply) {
        script.add(reply);
        return this;
    }

    private void handle(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        seen.add(new Seen(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key")),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")),
                body));
        next().to(exchange);
    }

    private synchronized Reply next() {
        var reply = script.poll();
        return reply == null ? HttpExchange::close : reply;
    }
}
