package dev.nonbis.bench;

import dev.nonbis.bench.abuse.AttackedServer.Aftermath;
import dev.nonbis.bench.abuse.KnownAttack;
import dev.nonbis.bench.abuse.UnderAttackBench;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "attack",
        description = "The latency that an honest tenant sees while a hostile client attacks.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class UnderAttackCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "ATTACK",
            description = "Which attacks (default: all): ${COMPLETION-CANDIDATES}.",
            showDefaultValue = Help.Visibility.NEVER)
    List<KnownAttack> attacks = List.of(KnownAttack.values());

    @Option(names = "--seconds", description = "How long each attack lasts.")
    int seconds = 20;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var out = spec.commandLine().getOut();
        out.println(
                "| attack | requests | p50 ms | p99 ms | worst ms | unanswered | server |\n|---|---|---|---|---|---|---|");
        boolean withstood = true;
        for (var attack : attacks) {
            var after = UnderAttackBench.measure(server.command(), attack, Duration.ofSeconds(seconds));
            withstood &= UnderAttackBench.isWithstood(after);
            out.println(row(attack, after));
            out.flush();
        }
        return withstood ? 0 : 1;
    }

    private static String row(KnownAttack attack, Aftermath after) {
        var felt = after.felt();
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %,.1f | %,.1f | %,.0f | %,d | %s |",
                attack.words(),
                felt.micros().getTotalCount(),
                felt.millis(50),
                felt.millis(99),
                felt.millis(100),
                felt.unanswered(),
                after.end().isEmpty() ? "lives" : after.end());
    }
}
