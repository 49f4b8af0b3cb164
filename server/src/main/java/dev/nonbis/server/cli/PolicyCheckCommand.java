package dev.nonbis.server.cli;

import dev.nonbis.core.policy.Verdict;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.policy.cel.PolicyDocument;
import dev.nonbis.server.policy.cel.PolicyFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Check a policy as the server would, without one.",
        mixinStandardHelpOptions = true)
final class PolicyCheckCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "The file, or a directory with one TENANT.yaml for each tenant.")
    private Path file = Path.of("");

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    PolicyCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        var policy = PolicyFiles.open(terminal, file);
        if (json) {
            var answer = JsonObject.builder()
                    .put("valid", true)
                    .put("policy_hash", policy.status().hash());
            terminal.out().println(new String(Json.write(answer.build()), StandardCharsets.UTF_8));
            return ExitCode.DONE.code();
        }
        terminal.out().println("the policy is valid");
        terminal.out().println("hash  " + policy.status().hash());
        documents(policy).forEach((name, document) -> terminal.out().println(name + summary(document)));
        return ExitCode.DONE.code();
    }

    private static SortedMap<String, PolicyDocument> documents(PolicyFile policy) {
        var documents = new TreeMap<String, PolicyDocument>();
        policy.policy().byTenant().forEach((tenant, document) -> documents.put(tenant.value(), document));
        return documents;
    }

    private static String summary(PolicyDocument document) {
        return ": jobs " + rules(document.jobs()) + "; payments " + rules(document.payments()) + "; "
                + document.data().agents().size() + " agents, "
                + document.data().providers().size() + " providers, "
                + document.data().recipients().size() + " recipients, "
                + document.data().budgets().size() + " budgets"
                + (document.data().emergency().freezeAll() ? "; everything is frozen" : "");
    }

    private static String rules(PolicyDocument.Rules rules) {
        int count = rules.rules().size();
        return (count == 1 ? "1 rule" : count + " rules") + ", else " + word(rules.fallback());
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow allow -> "allow";
            case Verdict.Deny deny -> "deny";
            case Verdict.RequireApproval approval -> "require_approval";
            case Verdict.Throttle throttle -> "throttle";
        };
    }
}
