package dev.nonbis.bench;

import dev.nonbis.bench.payments.PaymentBench;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "payments",
        description =
                "Fresh payment decisions, replays and conflicts against a no-op, and what a signature costs by itself.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class PaymentsCommand implements Callable<Integer> {

    private static final String POLICY = """
            payments:
              default: deny
              rules:
                - {id: small, when: 'payment.intent == "purchase_api_call" && amount_usd <= 0.50 && provider.status == "trusted"', verdict: allow}
            agents: [{id: research-agent-01, status: active}]
            providers: [{id: api.example, url: "https://api.example.com", status: trusted}]
            budgets:
              - {agent: research-agent-01, scope: day, cap_usd: "100000000.00"}
              - {agent: research-agent-01, scope: month, cap_usd: "100000000.00"}
            """;

    @Mixin
    PhaseOptions phases = new PhaseOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var plan = new PaymentBench.Plan(phases.connections, phases.rounds(), phases.perPhase(), phases.warmUp());
        return phases.measure("", POLICY, subject -> new PaymentBench(plan, subject, phases::tell).run());
    }
}
