package dev.nonbis.bench;

import dev.nonbis.bench.faults.FaultCampaign;
import dev.nonbis.bench.faults.FaultCampaign.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "faults",
        description =
                "Strikes a server on SQLite under load with real faults, lets it heal and checks every guarantee.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class FaultsCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "FAULT",
            description = "Which of them (default: all): ${COMPLETION-CANDIDATES}.",
            showDefaultValue = Help.Visibility.NEVER)
    List<Kind> kinds = List.of(Kind.values());

    @Option(names = "--strikes", description = "How often each of them strikes.")
    int strikes = 20;

    @Option(
            names = "--seed",
            description = "Decides load and delays (default: the time).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean clean = true;
        for (var kind : kinds) {
            clean &= run(kind);
        }
        return clean ? 0 : 1;
    }

    private boolean run(Kind kind) throws IOException, InterruptedException {
        var out = spec.commandLine().getOut();
        var talk = spec.commandLine().getErr();
        if (!kind.isAvailable()) {
            talk.println(kind + " is left out: it takes Linux, cc and libfaketime (packages gcc, libc6-dev, faketime)");
            talk.flush();
            return true;
        }
        var report = new FaultCampaign(kind, server.command(), words -> {
                    talk.println(words);
                    talk.flush();
                })
                .run(strikes, seed.orElseGet(System::nanoTime));
        out.println(report.asText());
        out.flush();
        return report.clean();
    }
}
