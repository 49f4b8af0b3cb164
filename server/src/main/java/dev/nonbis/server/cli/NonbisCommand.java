package dev.nonbis.server.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** The whole command line: every command there is, on one screen. */
public final class NonbisCommand {

    private final Terminal terminal;
    private final ServerLauncher launcher;

    public NonbisCommand(Terminal terminal, ServerLauncher launcher) {
        this.terminal = terminal;
        this.launcher = launcher;
    }

    /** Runs one command and gives its exit code. */
    public int run(String... args) {
        return commandLine().execute(args);
    }

    CommandLine commandLine() {
        var root = new CommandLine(new Root());
        root.addSubcommand(new ServeCommand(terminal, launcher))
                .addSubcommand(new DevCommand(terminal, launcher))
                .addSubcommand(new CommandLine(new Group.Job())
                        .addSubcommand(new JobSubmitCommand(terminal))
                        .addSubcommand(new JobCommands.Status(terminal))
                        .addSubcommand(new JobCommands.Listing(terminal))
                        .addSubcommand(new JobCommands.Cancel(terminal))
                        .addSubcommand(new JobCommands.Timeline(terminal))
                        .addSubcommand(new DeadLetterCommands.Resolve(terminal)))
                .addSubcommand(new CommandLine(new Group.DeadLetters())
                        .addSubcommand(new DeadLetterCommands.Listing(terminal))
                        .addSubcommand(new DeadLetterCommands.Retry(terminal))
                        .addSubcommand(new DeadLetterCommands.Discard(terminal)))
                .addSubcommand(new CommandLine(new Group.Approvals())
                        .addSubcommand(new ApprovalCommands.Listing(terminal))
                        .addSubcommand(new ApprovalCommands.Show(terminal))
                        .addSubcommand(new ApprovalCommands.Approve(terminal))
                        .addSubcommand(new ApprovalCommands.Reject(terminal)))
                .addSubcommand(new CommandLine(new Group.Workflow())
                        .addSubcommand(new WorkflowCommands.Put(terminal))
                        .addSubcommand(new WorkflowCommands.Show(terminal))
                        .addSubcommand(new WorkflowCommands.Listing(terminal)))
                .addSubcommand(new CommandLine(new Group.Run())
                        .addSubcommand(new RunStartCommand(terminal))
                        .addSubcommand(new RunCommands.Status(terminal))
                        .addSubcommand(new RunCommands.Listing(terminal))
                        .addSubcommand(new RunCommands.Cancel(terminal))
                        .addSubcommand(new RunCommands.Timeline(terminal)))
                .addSubcommand(new CommandLine(new Group.Key())
                        .addSubcommand(new KeyCommands.Show(terminal))
                        .addSubcommand(new KeyCommands.Release(terminal)))
                .addSubcommand(new CommandLine(new Group.Limits()).addSubcommand(new LimitsSetCommand(terminal)))
                .addSubcommand(new CommandLine(new Group.Config()).addSubcommand(new ConfigCheckCommand(terminal)))
                .addSubcommand(new CommandLine(new Group.Policy())
                        .addSubcommand(new PolicyCheckCommand(terminal))
                        .addSubcommand(new PolicyExplainCommand(terminal)))
                .addSubcommand(new CommandLine(new Group.Audit())
                        .addSubcommand(new AuditCommands.Export(terminal))
                        .addSubcommand(new AuditCommands.Verify(terminal))
                        .addSubcommand(new AuditCommands.Head(terminal))
                        .addSubcommand(new AuditProofCommands.Checkpoint(terminal))
                        .addSubcommand(new AuditProofCommands.Proof(terminal)))
                .addSubcommand(new CommandLine(new Group.Payment())
                        .addSubcommand(new PaymentCommands.Submit(terminal))
                        .addSubcommand(new PaymentCommands.Show(terminal))
                        .addSubcommand(new PaymentCommands.Listing(terminal)))
                .addSubcommand(new CommandLine(new Group.Budget()).addSubcommand(new PaymentCommands.Budgets(terminal)))
                .addSubcommand(new CommandLine(new Group.Receipt()).addSubcommand(new ReceiptVerifyCommand(terminal)))
                .addSubcommand(
                        new CommandLine(new Group.SigningKey()).addSubcommand(new SigningKeyRotateCommand(terminal)))
                .addSubcommand("drill", DrillCommand.of(terminal))
                .addSubcommand(new CompletionCommand(terminal, this::commandLine))
                .addSubcommand(new WarmUpCommand(terminal, launcher))
                .addSubcommand(new HelpCommand());
        var exitCodes = new LinkedHashMap<String, String>();
        for (var exit : ExitCode.values()) {
            exitCodes.put(String.valueOf(exit.code()), exit.meaning());
        }
        root.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes);
        return root.registerConverter(Duration.class, new DurationText())
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) ->
                        Failures.tell(terminal, failure).code());
    }

    @Command(
            name = "nonbis",
            description = "A control plane in which every operation takes effect once.",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            synopsisSubcommandLabel = "COMMAND")
    private static final class Root {}

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var version = NonbisCommand.class.getPackage().getImplementationVersion();
            return new String[] {"nonbis " + (version == null ? "unreleased" : version)};
        }
    }
}
