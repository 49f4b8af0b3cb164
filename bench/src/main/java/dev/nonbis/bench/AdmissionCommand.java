package dev.nonbis.bench;

import dev.nonbis.bench.admission.AdmissionBench;
import dev.nonbis.bench.admission.AdmissionTraffic;
import dev.nonbis.bench.admission.AdmissionTraffic.Order;
import dev.nonbis.bench.admission.RawInserts;
import dev.nonbis.bench.admission.RawLimit;
import dev.nonbis.bench.admission.RawSets;
import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.ReportJson;
import dev.nonbis.bench.measure.ReportPlot;
import dev.nonbis.bench.measure.ReportTable;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "admission",
        description =
                "Fresh keyed submissions, replays and mismatches against a no-op, on a small store and on a large one.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class AdmissionCommand implements Callable<Integer> {

    private static final int ROUNDS = 9;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--connections", description = "Keep-alive connections, each with one request under way.")
    int connections = 64;

    @Option(names = "--seconds", description = "Measured seconds of each phase at each size of the store.")
    int seconds = 9;

    @Option(names = "--warmup", description = "Unmeasured seconds of each phase before it is measured.")
    int warmup = 30;

    @Option(names = "--keys", description = "How many keys the large store has.")
    long keys = 1_000_000;

    @Option(
            names = "--scattered",
            description = "Keys in no order, as random ones are; otherwise each sorts behind the last.")
    boolean scattered;

    @Option(
            names = "--quick",
            description = "A look in a minute: short phases, 100,000 keys, targets shown and not enforced.")
    boolean quick;

    @Option(names = "--no-targets", description = "Exit 0 even if a target is missed.")
    boolean noTargets;

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Also draw the report into this file.",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Path> svg = Optional.empty();

    /** Stores that a bench can start. */
    enum StoreKind {
        sqlite,
        postgres,
        redis
    }

    @Option(
            names = "--store",
            paramLabel = "STORE",
            split = ",",
            description =
                    "sqlite; postgres or redis: one of its own, with what pgbench or redis-benchmark gets out of it as the"
                            + " limit. Several with commas, one after the other.")
    List<StoreKind> stores = List.of(StoreKind.sqlite);

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Measure a server that is running already.",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<URI> url = Optional.empty();

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "A submitter's API key for --url.",
            defaultValue = "${env:NONBIS_API_KEY:-}")
    String token = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (svg.isPresent() && stores.size() > 1) {
            throw new ParameterException(spec.commandLine(), "--svg draws one store: give one");
        }
        var reports = new ArrayList<Report>();
        if (url.isPresent()) {
            reports.add(measureRunning(url.get()));
        } else {
            for (var store : stores) {
                reports.add(measureOwn(store));
            }
        }
        var out = spec.commandLine().getOut();
        if (json) {
            var each = reports.stream().map(ReportJson::of).collect(Collectors.joining(",\n"));
            out.println(reports.size() == 1 ? each : "[" + each + "]");
        } else {
            reports.forEach(report -> out.println(ReportTable.of(report)));
        }
        out.flush();
        if (svg.isPresent()) {
            Files.writeString(svg.get(), ReportPlot.of(reports.getFirst()));
        }
        return reports.stream().anyMatch(Report::missesTarget) && !noTargets && !quick ? 1 : 0;
    }

    private Report measureRunning(URI address) throws IOException {
        var port = address.getPort() < 0 ? 80 : address.getPort();
        var subject = new Subject(new InetSocketAddress(address.getHost(), port), token, Optional.empty());
        return bench(subject, "bench-" + Long.toString(System.nanoTime(), 36)).run();
    }

    private Report measureOwn(StoreKind store) throws IOException, InterruptedException {
        return switch (store) {
            case sqlite -> measureOnSqlite();
            case postgres -> measureOnPostgres();
            case redis -> measureOnRedis();
        };
    }

    private Report measureOnPostgres() throws IOException, InterruptedException {
        try (var postgres = PostgresServer.start("shared_buffers = 256MB", "max_wal_size = 2GB")) {
            postgres.createDatabase("nonbis");
            var limit = RawInserts.on(postgres, connections, quick ? 3 : seconds);
            return measureShared(new Shared(
                    "postgres",
                    postgres.url("nonbis"),
                    limit,
                    () -> Long.parseLong(postgres.sql("nonbis", "SELECT pg_database_size('nonbis')"))));
        }
    }

    private Report measureOnRedis() throws IOException, InterruptedException {
        try (var redis = RedisServer.start()) {
            var limit = new RawSets(redis, connections, quick ? 3 : seconds);
            return measureShared(new Shared("redis", redis.url(), limit, redis::usedMemory));
        }
    }

    /** A database that servers may share. */
    private record Shared(String name, String url, RawLimit limit, Subject.Storage size) {}

    private Report measureShared(Shared shared) throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        var command = server.command().offeringNoop();
        try (var directory = ServerDirectory.create(
                        List.of(credential), Optional.of(shared.url), "signing: {keys_file: signing-keys.json}\n");
                var process = ServerProcess.start(command, directory)) {
            var child = new Subject.Child(
                    process.pid(),
                    directory.ports().managementAddress(),
                    shared.size,
                    shared.name + ", " + String.join(" ", command.jvmFlags()));
            var subject = new Subject(directory.ports().apiAddress(), credential.token(), Optional.of(child));
            return bench(subject, "bench", Optional.of(shared.limit)).run();
        }
    }

    private Report measureOnSqlite() throws IOException, InterruptedException {
        var credential = Credential.forTenant("acme");
        var command = server.command().offeringNoop();
        try (var directory = ServerDirectory.create(List.of(credential));
                var process = ServerProcess.start(command, directory)) {
            var child = new Subject.Child(
                    process.pid(), directory.ports().managementAddress(), directory::storedBytes, describe(command));
            return bench(new Subject(directory.ports().apiAddress(), credential.token(), Optional.of(child)), "bench")
                    .run();
        }
    }

    private static String describe(ServerCommand command) {
        return "sqlite, " + String.join(" ", command.jvmFlags());
    }

    private AdmissionBench bench(Subject subject, String keyPrefix) {
        return bench(subject, keyPrefix, Optional.empty());
    }

    private AdmissionBench bench(Subject subject, String keyPrefix, Optional<RawLimit> limit) {
        PrintWriter talk = spec.commandLine().getErr();
        return new AdmissionBench(
                plan(),
                subject,
                new AdmissionTraffic(subject, keyPrefix, scattered ? Order.SCATTERED : Order.RISING),
                words -> {
                    talk.println(words);
                    talk.flush();
                },
                limit);
    }

    private AdmissionBench.Plan plan() {
        return quick
                ? new AdmissionBench.Plan(connections, 2, Duration.ofSeconds(3), Duration.ofSeconds(2), 100_000)
                : new AdmissionBench.Plan(
                        connections, ROUNDS, Duration.ofSeconds(seconds), Duration.ofSeconds(warmup), keys);
    }
}
