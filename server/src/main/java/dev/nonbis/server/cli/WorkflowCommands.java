package dev.nonbis.server.cli;

import dev.nonbis.client.Query;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What can be done with workflows. */
final class WorkflowCommands {

    private WorkflowCommands() {}

    @Command(
            name = "put",
            description = "Store a version of a workflow; the same definition again changes nothing.",
            mixinStandardHelpOptions = true)
    static final class Put extends ClientCommand {

        @Parameters(index = "0", paramLabel = "WORKFLOW_ID")
        private String workflowId = "";

        @Parameters(index = "1", paramLabel = "FILE", description = "The definition, in JSON (.json) or YAML.")
        private Path file = Path.of("");

        Put(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().putWorkflow(workflowId, new Inputs(terminal).document(file)));
            return ExitCode.DONE;
        }
    }

    @Command(name = "show", description = "Show a workflow.", mixinStandardHelpOptions = true)
    static final class Show extends ClientCommand {

        @Parameters(paramLabel = "WORKFLOW_ID")
        private String workflowId = "";

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            report.object(terminal, connect().getWorkflow(workflowId));
            return ExitCode.DONE;
        }
    }

    @Command(name = "list", description = "List workflows.", mixinStandardHelpOptions = true)
    static final class Listing extends ClientCommand {

        @Mixin
        private final PageOptions page = new PageOptions();

        Listing(Terminal terminal) {
            super(terminal);
        }

        @Override
        ExitCode run() {
            var answer = connect().listWorkflows(page.addTo(Query.ALL)).answer();
            report.table(terminal, answer, List.of("workflow_id", "version", "hash"));
            return ExitCode.DONE;
        }
    }
}
