package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "start",
        description = "Start a run; it exists once, however often this is sent.",
        mixinStandardHelpOptions = true)
final class RunStartCommand extends ClientCommand {

    @Parameters(paramLabel = "WORKFLOW_ID")
    private String workflowId = "";

    @Option(names = "--input", paramLabel = "JSON", description = "JSON text, @FILE, or - for standard input ({}).")
    private String input = "{}";

    @Option(names = "--key", paramLabel = "KEY", description = "The idempotency key; made and told when absent.")
    private Optional<String> key = Optional.empty();

    @Mixin
    private final WaitOptions waiting = new WaitOptions();

    RunStartCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    ExitCode run() {
        var client = connect();
        var generated = NonbisClient.startRunCall(workflowId, new Inputs(terminal).json(input));
        var call = key.map(generated::withKey).orElse(generated);
        KeyTalk.tell(terminal, key, call.idempotencyKey().orElseThrow());
        var started = client.startRun(call);
        if (!waiting.isWait()) {
            report.object(terminal, started.answer());
            return ExitCode.DONE;
        }
        terminal.err().println("run: " + Report.visible(started.runId()));
        var last = waiting.follow(terminal, () -> client.getRun(started.runId()));
        report.object(terminal, last);
        return ExitCode.ofState(WaitOptions.state(last));
    }
}
