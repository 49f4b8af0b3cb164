package dev.nonbis.bench;

import dev.nonbis.bench.cluster.Cluster;
import dev.nonbis.bench.cluster.ClusterCampaign;
import dev.nonbis.bench.torture.Database;
import dev.nonbis.testkit.service.NatsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "cluster",
        description =
                "Kills and stops servers that share a store, and kills the store and the broker, again and again under load, and has the judge"
                        + " of the simulation look at all that clients saw.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class ClusterCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--count", description = "How many kills and stops.")
    int count = 100;

    @Option(names = "--servers", description = "How many servers.")
    int servers = 3;

    /** Stores that servers can share. */
    enum StoreKind {
        postgres,
        redis
    }

    @Option(names = "--store", paramLabel = "STORE", description = "postgres or redis, one of its own.")
    StoreKind store = StoreKind.postgres;

    @Option(
            names = "--postgres",
            paramLabel = "DIRECTORY",
            description = "Where initdb, pg_ctl and postgres are (default: the system's).")
    Optional<Path> postgres = Optional.empty();

    /** What carries messages. */
    enum BusKind {
        embedded,
        nats
    }

    @Option(
            names = "--bus",
            paramLabel = "BUS",
            description = "embedded, or nats: one of its own, which is killed too.")
    BusKind bus = BusKind.embedded;

    @Option(
            names = "--seed",
            description = "Decides load, delays and what is hit (default: the time).",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var talk = spec.commandLine().getErr();
        var plan = ClusterCampaign.Plan.usual(count, seed.orElseGet(System::nanoTime));
        talk.println("seed " + plan.seed());
        try (var cluster = Cluster.of(server.command(), servers, database(), broker())) {
            var report = new ClusterCampaign(plan, cluster, words -> {
                        talk.println(words);
                        talk.flush();
                    })
                    .run();
            var out = spec.commandLine().getOut();
            out.println(json ? report.asJson() : report.asText());
            out.flush();
            return report.clean() ? 0 : 1;
        }
    }

    private Database database() throws IOException {
        return switch (store) {
            case postgres -> Database.postgres(postgres);
            case redis -> Database.redis();
        };
    }

    private Optional<NatsServer> broker() throws IOException {
        return switch (bus) {
            case embedded -> Optional.empty();
            case nats -> Optional.of(NatsServer.startWithoutSkipping(Files.createTempDirectory("nonbis-broker-")));
        };
    }
}
