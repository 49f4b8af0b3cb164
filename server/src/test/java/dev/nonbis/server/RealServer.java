package dev.nonbis.server;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import dev.nonbis.server.cli.RunningServer;
import dev.nonbis.server.config.BusUrl;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** A server on real sockets and a real database, with callers that come at once. */
final class RealServer implements AutoCloseable {

    static final String ACME = "real-token-of-acme";
    static final String GLOBEX = "real-token-of-globex";
    /** Two of acme who may only decide. */
    static final String BOB = "real-token-of-bob";

    static final String CAROL = "real-token-of-carol";

    private final RunningServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Serves what is in the directory; a {@code policy.yaml} and a {@code topics.yaml} there are enforced. */
    RealServer(Path directory) {
        this(directory, 0);
    }

    RealServer(Path directory, int port) {
        this(
                directory,
                new Start(
                        port,
                        new StoreUrl.Sqlite(directory.resolve("nonbis.db")),
                        Config.defaults().bus(),
                        Config.Durability.STRICT,
                        InstantSource.system()));
    }

    /** One of several servers, if the store can be shared; what they find in the directory they share too. */
    RealServer(Path directory, int port, StoreUrl store, Config.Durability durability) {
        this(directory, new Start(port, store, Config.defaults().bus(), durability, InstantSource.system()));
    }

    /** With a clock that is moved by hand. */
    RealServer(Path directory, InstantSource clock) {
        this(
                directory,
                new Start(
                        0,
                        new StoreUrl.Sqlite(directory.resolve("nonbis.db")),
                        Config.defaults().bus(),
                        Config.Durability.STRICT,
                        clock));
    }

    RealServer(Path directory, int port, BusUrl bus) {
        this(
                directory,
                new Start(
                        port,
                        new StoreUrl.Sqlite(directory.resolve("nonbis.db")),
                        bus,
                        Config.Durability.STRICT,
                        InstantSource.system()));
    }

    private record Start(
            int port,
            StoreUrl store,
            BusUrl bus,
            Config.Durability durability,
            InstantSource clock,
            UnaryOperator<Config> change) {

        Start(int port, StoreUrl store, BusUrl bus, Config.Durability durability, InstantSource clock) {
            this(port, store, bus, durability, clock, UnaryOperator.identity());
        }
    }

    /** With a configuration that is changed before it counts. */
    RealServer(Path directory, UnaryOperator<Config> change) {
        this(
                directory,
                new Start(
                        0,
                        new StoreUrl.Sqlite(directory.resolve("nonbis.db")),
                        Config.defaults().bus(),
                        Config.Durability.STRICT,
                        InstantSource.system(),
                        change));
    }

    private RealServer(Path directory, Start start) {
        var keys = List.of(
                key("alice", "acme", "admin", ACME),
                key("bob", "acme", "approver", BOB),
                key("carol", "acme", "approver", CAROL),
                key("gina", "globex", "admin", GLOBEX));
        var defaults = Config.defaults();
        var http = new Config.Http(
                "127.0.0.1",
                start.port(),
                defaults.http().tls(),
                defaults.http().trustedProxies(),
                defaults.http().limits());
        server = Server.start(
                start.change()
                        .apply(new Config(
                                http,
                                new Config.Management("127.0.0.1", 0),
                                start.store(),
                                start.bus(),
                                new Config.Auth(keys, defaults.auth().jwt()),
                                Optional.of(directory.resolve("policy.yaml")).filter(Files::exists),
                                Optional.of(directory.resolve("topics.yaml")).filter(Files::exists),
                                Optional.of(directory.resolve("signing-keys.json")),
                                defaults.idempotency(),
                                defaults.approvals(),
                                new Config.Webhooks(true),
                                defaults.observation(),
                                defaults.limits(),
                                start.durability())),
                start.clock());
    }

    private static Config.ApiKey key(String subject, String tenant, String role, String token) {
        return new Config.ApiKey(subject, tenant, Set.of(role), Sha256.hex(token.getBytes(StandardCharsets.UTF_8)));
    }

    /** What came back. */
    record Answer(int status, String body, boolean replayed) {

        JsonObject json() {
            return (JsonObject) Json.parse(body.getBytes(StandardCharsets.UTF_8));
        }

        String string(String name) {
            return json().string(name).orElseThrow(() -> new AssertionError("no " + name + " in " + body));
        }
    }

    Answer post(String path, String token, String key, String body) {
        var request = HttpRequest.newBuilder(server.url().resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return send(request);
    }

    Answer put(String path, String body) {
        return send(HttpRequest.newBuilder(server.url().resolve(path))
                .header("Authorization", "Bearer " + ACME)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    Answer delete(String path, String body) {
        return send(HttpRequest.newBuilder(server.url().resolve(path))
                .header("Authorization", "Bearer " + ACME)
                .header("Content-Type", "application/json")
                .method("DELETE", HttpRequest.BodyPublishers.ofString(body)));
    }

    Answer get(String path, String token) {
        return send(HttpRequest.newBuilder(server.url().resolve(path)).header("Authorization", "Bearer " + token));
    }

    /** The metrics as text. */
    String metrics() {
        return send(HttpRequest.newBuilder(server.managementUrl().resolve("/metrics")))
                .body();
    }

    URI url() {
        return server.url();
    }

    URI signInLink(String token) {
        return server.signInLink(token);
    }

    URI managementUrl() {
        return server.managementUrl();
    }

    /** Makes all calls at the same time and returns their answers. */
    static List<Answer> atOnce(List<Callable<Answer>> calls) {
        var gate = new CountDownLatch(1);
        var answers = new ArrayList<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<Answer>>();
            for (var call : calls) {
                futures.add(threads.submit(() -> {
                    gate.await();
                    return call.call();
                }));
            }
            gate.countDown();
            for (var future : futures) {
                answers.add(future.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("a call failed", e);
        }
        return answers;
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            boolean replayed =
                    response.headers().firstValue("Idempotent-Replayed").isPresent();
            return new Answer(response.statusCode(), response.body(), replayed);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        server.close();
        client.close();
    }
}
