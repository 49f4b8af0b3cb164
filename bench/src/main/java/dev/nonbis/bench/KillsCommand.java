package dev.nonbis.bench;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.torture.Database;
import dev.nonbis.bench.torture.KillCampaign;
import dev.nonbis.bench.torture.StoreVictim;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "kills",
        description =
                "Kills the server and its store again and again under load, cuts connections between a commit and its answer,"
                        + " and checks that every promise was kept.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class KillsCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(
            names = {"--kills", "--count"},
            description = "How many kills.")
    int kills = 200;

    @Option(names = "--cuts", description = "How many connections are cut, in between.")
    int cuts = 100;

    @Option(names = "--store", description = "What the server keeps its data in: ${COMPLETION-CANDIDATES}.")
    Store store = Store.SQLITE;

    /** The stores that there are. */
    enum Store {
        SQLITE,
        POSTGRES,
        REDIS
    }

    @Option(
            names = "--seed",
            description = "Decides load and delays (default: the time).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    @Option(
            names = "--postgres",
            paramLabel = "DIRECTORY",
            description = "Where initdb, pg_ctl and postgres are (default: the system's).")
    Optional<Path> postgres = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var talk = spec.commandLine().getErr();
        var plan = KillCampaign.Plan.usual(new KillCampaign.Blows(kills, cuts), seed.orElseGet(System::nanoTime));
        talk.println("seed " + plan.seed());
        try (var victim = victim()) {
            var report = new KillCampaign(plan, victim, words -> {
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

    private StoreVictim victim() throws IOException {
        var credentials = List.of(Credential.forTenant("acme"), Credential.forTenant("globex"));
        return switch (store) {
            case SQLITE -> StoreVictim.onFile(server.command(), credentials);
            case POSTGRES -> StoreVictim.on(Database.postgres(postgres), server.command(), credentials);
            case REDIS -> StoreVictim.on(Database.redis(), server.command(), credentials);
        };
    }
}
