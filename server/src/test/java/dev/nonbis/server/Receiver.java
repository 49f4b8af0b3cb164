package dev.nonbis.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An address that webhooks are told to, which answers as it is told to. */
final class Receiver implements AutoCloseable {

    private final HttpServer server;
    private final List<Got> got = new CopyOnWriteArrayList<>();
    volatile int answer = 204;
    volatile String location = "";

    /** One message as it came. */
    record Got(String id, long seq) {}

    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::receive);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    List<Got> got() {
        return List.copyOf(got);
    }

    List<Long> seqs() {
        return got.stream().map(Got::seq).toList();
    }

    private void receive(HttpExchange exchange) throws IOException {
        var body = (JsonObject) Json.parse(exchange.getRequestBody().readAllBytes());
        got.add(new Got(
                exchange.getRequestHeaders().getFirst("webhook-id"),
                body.object("data").orElseThrow().integer("seq").orElseThrow()));
        if (!location.isEmpty()) {
            exchange.getResponseHeaders().add("Location", location);
        }
        exchange.sendResponseHeaders(answer, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
