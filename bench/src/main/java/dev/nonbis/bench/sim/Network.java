package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import java.io.IOException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** One caller's way to the servers, whichever is up. Requests and answers take time and get lost; a client that waits too long goes on. */
final class Network extends HttpClient {

    private static final long CONNECT_MICROS = 20_000;

    private final Exchange.Caller caller;
    private final SimulatedServer.Surroundings around;
    private final List<SimulatedServer> servers;
    private final Chance chance;

    Network(Exchange.Caller caller, SimulatedServer.Surroundings around, List<SimulatedServer> servers) {
        this.caller = caller;
        this.around = around;
        this.servers = servers;
        this.chance = around.chance().split();
    }

    /** What comes back, or that nothing does. */
    private static final class Waiting {
        @Nullable
        Response response;

        boolean reset;
        boolean left;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException {
        var body = Bodies.of(request);
        var path = request.uri().getRawPath();
        var sent = new Exchange.Sent(
                request.method(),
                path,
                request.headers().firstValue("Idempotency-Key"),
                new String(body, StandardCharsets.UTF_8));
        var server = chance.pick(servers);
        var life = server.life();
        if (life.isEmpty()) {
            around.flows().sleep(CONNECT_MICROS);
            throw new ConnectException("simulated: " + server.name() + " is down");
        }
        var open = around.history().sent(caller, sent, around.agenda().micros());
        var id = "req_" + String.format("%026d", around.history().exchanges().size());
        around.trace().tell(() -> id(caller) + " -> " + server.name() + " " + line(sent));
        var waiting = exchange(
                life.get(),
                new Request(
                        id,
                        request.method(),
                        path,
                        Map.of(),
                        query(request.uri().getRawQuery()),
                        headers(request),
                        body),
                request.timeout().orElse(Duration.ofSeconds(30)));
        var response = waiting.response;
        if (response == null) {
            around.trace()
                    .tell(() -> id(caller) + " <- " + (waiting.reset ? "connection lost" : "no answer") + " for "
                            + line(sent));
            throw waiting.reset
                    ? new IOException("simulated: connection reset")
                    : new HttpTimeoutException("simulated: no answer in time");
        }
        var text = new String(response.body(), StandardCharsets.UTF_8);
        boolean replayed = "true".equals(response.headers().get("Idempotent-Replayed"));
        around.trace()
                .tell(() -> id(caller) + " <- " + server.name() + " " + response.status()
                        + (replayed ? " (replayed) " : " ") + text);
        if (response.status() == 500) {
            around.history().brokeDown(line(sent) + " got " + text);
        }
        open.answered(new Exchange.Reply(
                response.status(), replayed, text, around.agenda().micros()));
        return Bodies.response(request, response, handler);
    }

    private Waiting exchange(SimulatedServer.Life life, Request request, Duration timeout) {
        var weather = around.weather();
        var waiting = new Waiting();
        var me = around.flows().current();
        if (!weather.losesOnTheWay()) {
            around.agenda()
                    .after(
                            weather.latencyMicros(),
                            () -> life.serve(
                                    request,
                                    response -> {
                                        if (!weather.losesOnTheWay()) {
                                            around.agenda()
                                                    .after(
                                                            weather.latencyMicros(),
                                                            () -> arrive(waiting, response, me));
                                        }
                                    },
                                    () -> {
                                        waiting.reset = true;
                                        wake(waiting, me);
                                    }));
        }
        around.flows().await(timeout.toNanos() / 1000);
        waiting.left = true;
        return waiting;
    }

    private void arrive(Waiting waiting, Response response, Flows.Flow me) {
        if (!waiting.left && !waiting.reset) {
            waiting.response = response;
            wake(waiting, me);
        }
    }

    private void wake(Waiting waiting, Flows.Flow me) {
        if (!waiting.left) {
            around.flows().wake(me);
        }
    }

    private static String id(Exchange.Caller caller) {
        return caller.tenant() + "/" + caller.subject();
    }

    private static String line(Exchange.Sent sent) {
        return sent.method() + " " + sent.path()
                + sent.key().map(key -> " key " + key).orElse("")
                + (sent.body().isEmpty() ? "" : " " + sent.body());
    }

    private static Map<String, List<String>> query(@Nullable String raw) {
        var query = new LinkedHashMap<String, List<String>>();
        if (raw != null) {
            for (String part : raw.split("&", -1)) {
                int equals = part.indexOf('=');
                query.computeIfAbsent(part.substring(0, equals), name -> new ArrayList<>())
                        .add(part.substring(equals + 1));
            }
        }
        return query;
    }

    private static Map<String, List<String>> headers(HttpRequest request) {
        var headers = new HashMap<String, List<String>>();
        request.headers().map().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        return headers;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        throw new UnsupportedOperationException("the simulation waits for every answer");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> push) {
        throw new UnsupportedOperationException("the simulation waits for every answer");
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
        throw new UnsupportedOperationException("nothing is encrypted in the simulation");
    }

    @Override
    public SSLParameters sslParameters() {
        throw new UnsupportedOperationException("nothing is encrypted in the simulation");
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }
}
