package dev.nonbis.bench;

import dev.nonbis.bench.abuse.AbuseCampaign;
import dev.nonbis.bench.abuse.DrawnAttack;
import java.io.IOException;
import java.time.Duration;
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
        name = "abuse",
        description = "Attacks a server as a hostile client would, and checks that an honest tenant does not notice.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class AbuseCommand implements Callable<Integer> {

    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "ATTACK",
            description = "Which attacks (default: all): ${COMPLETION-CANDIDATES}.",
            showDefaultValue = Help.Visibility.NEVER)
    List<DrawnAttack> attacks = List.of(DrawnAttack.values());

    @Option(names = "--rounds", description = "How many turns each attack has.")
    int rounds = 4;

    @Option(names = "--seconds", description = "How long a turn lasts.")
    int seconds = 20;

    @Option(
            names = "--seed",
            description = "Decides every request (default: the time).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var plan = new AbuseCampaign.Plan(
                attacks, rounds, WARM_UP, Duration.ofSeconds(seconds), PATIENCE, seed.orElseGet(System::nanoTime));
        say("seed " + plan.seed());
        var findings = new AbuseCampaign(plan, server.command(), this::say).run();
        var out = spec.commandLine().getOut();
        findings.forEach(out::println);
        out.println(attacks.size() * rounds + " attacks, " + findings.size() + " findings (seed " + plan.seed() + ")");
        out.flush();
        return findings.isEmpty() ? 0 : 1;
    }

    private void say(String words) {
        var talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }
}
