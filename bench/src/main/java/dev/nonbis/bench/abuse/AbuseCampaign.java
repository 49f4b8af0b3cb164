package dev.nonbis.bench.abuse;

import dev.nonbis.bench.abuse.AttackedServer.Aftermath;
import dev.nonbis.bench.process.ServerCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Attacks a server in turns, judged by an honest tenant beside it and by what the process holds afterwards. */
public final class AbuseCampaign {

    private static final long RECOVERS_WITHIN_S = 30;

    private final Plan plan;
    private final ServerCommand command;
    private final Consumer<String> progress;

    /**
     * What is done.
     *
     * @param warmUp how long the honest tenant is alone with the server, which is still being compiled, before anything counts
     * @param turn how long each attack lasts
     * @param patience how long an honest answer may take
     */
    public record Plan(
            List<DrawnAttack> attacks, int rounds, Duration warmUp, Duration turn, Duration patience, long seed) {}

    public AbuseCampaign(Plan plan, ServerCommand command, Consumer<String> progress) {
        this.plan = plan;
        this.command = command;
        this.progress = progress;
    }

    /** Everything that must not have been; empty if the server withstood. */
    public List<String> run() throws IOException, InterruptedException {
        try (var server = AttackedServer.start(command, plan.seed(), plan.patience())) {
            server.warmUp(plan.warmUp());
            var before = server.vitals();
            var findings = new ArrayList<String>();
            for (int round = 1; round <= plan.rounds(); round++) {
                for (var attack : plan.attacks()) {
                    var after = server.suffer(attack, plan.turn());
                    progress.accept(asText(attack, after));
                    findings.addAll(judge(attack, after));
                    if (!after.end().isEmpty()) {
                        // There is nothing left to ask.
                        return findings;
                    }
                }
            }
            findings.addAll(server.mistakes());
            findings.addAll(server.honest().judge());
            findings.addAll(recover(server, before));
            return findings;
        }
    }

    private static List<String> judge(DrawnAttack attack, Aftermath after) {
        var findings = new ArrayList<>(after.mistakes());
        if (!after.end().isEmpty()) {
            findings.add("the server " + after.end());
        }
        if (after.felt().unanswered() > 0) {
            findings.add(after.felt().unanswered() + " honest requests got no answer");
        }
        if (!findings.isEmpty()) {
            after.slowest().forEach(slow -> findings.add("meanwhile " + slow));
        }
        findings.replaceAll(finding -> attack + ": " + finding);
        return findings;
    }

    private static String asText(DrawnAttack attack, Aftermath after) {
        return String.format(
                Locale.ROOT,
                "%-11s %,6d strikes; %,5d honest requests, p50 %.1f, p99 %.1f, worst %.1f ms %s",
                attack,
                after.strikes(),
                after.felt().micros().getTotalCount(),
                after.felt().millis(50),
                after.felt().millis(99),
                after.felt().millis(100),
                after.end());
    }

    private static String asText(Vitals vitals) {
        return vitals.heapMib() + " MiB of heap, " + vitals.descriptors() + " descriptors";
    }

    // What an attack left behind may take the server its timeouts to close.
    private List<String> recover(AttackedServer server, Vitals before) throws IOException, InterruptedException {
        var after = server.vitals();
        for (int second = 0; !before.missedBy(after).isEmpty() && second < RECOVERS_WITHIN_S; second++) {
            Thread.sleep(1_000);
            after = server.vitals();
        }
        progress.accept("before: " + asText(before) + "; after: " + asText(after));
        return before.missedBy(after);
    }
}
