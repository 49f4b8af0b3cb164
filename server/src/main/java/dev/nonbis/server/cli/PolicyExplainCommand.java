package dev.nonbis.server.cli;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.PolicyView;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "explain",
        description = "Say what the policy would do with a job, and why, rule by rule. Changes nothing.",
        mixinStandardHelpOptions = true)
final class PolicyExplainCommand extends ClientCommand {

    private static final List<String> STEP = List.of("workflow", "step");

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "What kind of work it is.")
    private String topic = "";

    @Option(names = "--prompt", paramLabel = "TEXT", description = "What to do, in words.")
    private Optional<String> prompt = Optional.empty();

    @Option(names = "--input", paramLabel = "JSON", description = "JSON text, @FILE, or - for standard input.")
    private Optional<String> input = Optional.empty();

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "A label; may be repeated.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--submitted-by", paramLabel = "SUBJECT", description = "Who submits it; else the caller.")
    private Optional<String> submittedBy = Optional.empty();

    @Option(names = "--workflow", paramLabel = "WORKFLOW_ID", description = "The workflow, when it is a step of a run.")
    private Optional<String> workflow = Optional.empty();

    @Option(names = "--step", paramLabel = "STEP", description = "The step, when it is a step of a run.")
    private Optional<String> step = Optional.empty();

    @Option(names = "--file", paramLabel = "FILE", description = "Ask this policy instead of a server.")
    private Optional<Path> file = Optional.empty();

    @Option(names = "--tenant", paramLabel = "TENANT", description = "Whose job it is, with a directory as --file.")
    private String tenant = "default";

    PolicyExplainCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    ExitCode run() {
        var answer = file.map(this::offline)
                .orElseGet(() -> connect().explainPolicy(job()).text());
        if (report.isJson()) {
            terminal.out().println(answer);
        } else {
            show(Inputs.EXACT.readTree(answer));
        }
        return ExitCode.DONE;
    }

    private String offline(Path path) {
        var policy = PolicyFiles.open(terminal, path);
        var who = TenantId.parse(tenant)
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.USAGE, "\"" + tenant + "\" is not a tenant", "give the tenant's name"));
        var explained = policy.explainJob(who, view());
        return new String(Json.write(explained.toJson()), StandardCharsets.UTF_8);
    }

    private JsonObject view() {
        try {
            var body = (JsonObject) Json.parse(Inputs.EXACT.writeValueAsBytes(job()));
            var view = JsonObject.builder();
            PolicyView.job(body, submittedBy.orElse("")).members().forEach(view::put);
            STEP.forEach(name -> view.putString(name, body.string(name)));
            return view.build();
        } catch (JsonRefused e) {
            throw new CommandFailed(
                    ExitCode.USAGE,
                    "a server would refuse this job: " + e.getMessage(),
                    "give JSON whose numbers a double holds");
        }
    }

    private ObjectNode job() {
        var job = Inputs.EXACT.createObjectNode();
        job.put("topic", topic);
        prompt.ifPresent(text -> job.put("prompt", text));
        input.map(new Inputs(terminal)::json).ifPresent(json -> job.set("input", json));
        if (!labels.isEmpty()) {
            var shown = job.putObject("labels");
            labels.forEach(shown::put);
        }
        submittedBy.ifPresent(subject -> job.put("submitted_by", subject));
        workflow.ifPresent(id -> job.put("workflow", id));
        step.ifPresent(id -> job.put("step", id));
        return job;
    }

    private void show(JsonNode explained) {
        for (var member : explained.properties()) {
            if (!member.getKey().equals("rules")) {
                terminal.out()
                        .println("%-16s %s"
                                .formatted(
                                        Report.visible(member.getKey()),
                                        Report.visible(member.getValue().asString())));
            }
        }
        for (var rule : explained.path("rules")) {
            var error = rule.path("error");
            terminal.out()
                    .println("%-12s %s: %s%s"
                            .formatted(
                                    Report.visible(rule.path("outcome").asString()),
                                    Report.visible(rule.path("id").asString()),
                                    Report.visible(rule.path("when").asString()),
                                    error.isString() ? " (" + Report.visible(error.asString()) + ")" : ""));
        }
    }
}
