package dev.nonbis.bench.approvals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps the rules of approvals in memory, or takes every decision anew. */
final class FakeApprovals implements AutoCloseable {

    private final HttpServer server;
    private final boolean forgetful;
    private final Set<String> waiting = new LinkedHashSet<>();
    private final Set<String> approved = new LinkedHashSet<>();
    private int submitted;

    FakeApprovals(boolean forgetful) throws IOException {
        this.forgetful = forgetful;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        var path = exchange.getRequestURI().getPath();
        if (path.equals("/api/v1/noop")) {
            answer(exchange, 200, "{}");
        } else if (path.equals("/api/v1/jobs")) {
            waiting.add("job_" + submitted++);
            answer(exchange, 200, "{}");
        } else if (path.equals("/api/v1/approvals")) {
            answer(
                    exchange,
                    200,
                    waiting.stream()
                            .map(id -> "{\"job_id\":\"" + id + "\"}")
                            .collect(Collectors.joining(",", "{\"items\":[", "],\"next\":null}")));
        } else {
            decide(exchange, path.split("/", -1)[4], path.endsWith("/approve"));
        }
    }

    private void decide(HttpExchange exchange, String id, boolean approve) throws IOException {
        if (!approve) {
            answer(exchange, 409, "{\"code\":\"approval_already_approved\"}");
            return;
        }
        waiting.remove(id);
        if (!approved.add(id) && !forgetful) {
            exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
        }
        answer(exchange, 200, "{}");
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
