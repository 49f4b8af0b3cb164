package dev.nonbis.client.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The part of a server that workers talk to: hands out what it was given and answers as it was told. */
final class FakeDispatcher implements AutoCloseable {

    /** One call as it arrived, polls left out. */
    record Seen(String verb, JsonNode body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<String> deliveries = new ConcurrentLinkedQueue<>();
    private final Map<String, Queue<String>> answers = new ConcurrentHashMap<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    FakeDispatcher() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Hands this out to the next poll. */
    FakeDispatcher delivers(String job, int fence) {
        deliveries.add("""
                {"job_id":"%s","execution":%d,"fence":%d,"topic":"job.t","prompt":"do","input":{"n":1},"labels":{"a":"b"},"idempotency_key":"key-of-%s"}""".formatted(job, fence, fence, job));
        return this;
    }

    /** How the next call of this verb is answered, or of {@code job/verb}: a status word, a problem's {@code code/retry}, or {@code lost}. */
    FakeDispatcher answers(String verb, String answer) {
        answers.computeIfAbsent(verb, v -> new ConcurrentLinkedQueue<>()).add(answer);
        return this;
    }

    List<Seen> seen(String verb) {
        return seen.stream().filter(call -> call.verb().equals(verb)).collect(Collectors.toList());
    }

    List<String> verbs() {
        return seen.stream().map(Seen::verb).collect(Collectors.toList());
    }

    private void handle(HttpExchange exchange) throws IOException {
        var body = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
        var path = exchange.getRequestURI().getPath();
        var verb = path.substring(path.lastIndexOf('/') + 1);
        if (verb.equals("poll")) {
            var next = deliveries.poll();
            reply(exchange, 200, "{\"deliveries\":[" + (next == null ? "" : next) + "]}");
            return;
        }
        seen.add(new Seen(verb, body));
        var told = answer(path.substring("/api/v1/jobs/".length()));
        if (told == null) {
            told = answer(verb);
        }
        if (told == null) {
            told = verb.equals("start") ? "started" : verb.equals("heartbeat") ? "running" : "recorded";
        }
        if (told.equals("lost")) {
            exchange.close();
        } else if (told.contains("/")) {
            var problem = told.split("/", -1);
            reply(
                    exchange,
                    409,
                    "{\"code\":\"%s\",\"retry\":\"%s\",\"title\":\"T\",\"detail\":\"D\"}"
                            .formatted(problem[0], problem[1]));
        } else {
            reply(exchange, 200, "{\"status\":\"" + told + "\"}");
        }
    }

    private String answer(String call) {
        return answers.getOrDefault(call, new ConcurrentLinkedQueue<>()).poll();
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
