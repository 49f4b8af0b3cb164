package dev.nonbis.bench;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.torture.ClusterVictim;
import dev.nonbis.bench.torture.KillCampaign;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "cluster",
        description = "Kills servers that share a PostgreSQL, and the PostgreSQL, again and again under load.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class ClusterCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--count", description = "How many kills.")
    int count = 100;

    @Option(names = "--servers", description = "How many servers.")
    int servers = 3;

    @Option(
            names = "--seed",
            description = "Decides load, delays and what is killed (default: the time).",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var talk = spec.commandLine().getErr();
        var plan = KillCampaign.Plan.usual(KillCampaign.Blows.kills(count), seed.orElseGet(System::nanoTime));
        talk.println("seed " + plan.seed());
        var credentials = List.of(Credential.forTenant("acme"), Credential.forTenant("globex"));
        try (var victim = ClusterVictim.of(server.command(), servers, credentials, plan.seed())) {
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
}
