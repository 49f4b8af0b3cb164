package dev.nonbis.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;

/** A gateway in front of a server that hands everything on but the idempotency key, as careless ones do. */
final class KeyDroppingProxy implements AutoCloseable {

    private final URI target;
    private final HttpServer listener;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    KeyDroppingProxy(URI target) {
        this.target = target;
        try {
            listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        listener.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        listener.createContext("/", this::handOn);
        listener.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listener.getAddress().getPort());
    }

    private void handOn(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = HttpRequest.newBuilder(
                            target.resolve(exchange.getRequestURI().toString()))
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            for (var name : new String[] {"Authorization", "Content-Type", "Accept"}) {
                var value = exchange.getRequestHeaders().getFirst(name);
                if (value != null) {
                    request.header(name, value);
                }
            }
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (name.startsWith("nonbis-") || name.startsWith("idempotent-") || name.equals("content-type")) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        listener.stop(0);
        client.close();
    }
}
