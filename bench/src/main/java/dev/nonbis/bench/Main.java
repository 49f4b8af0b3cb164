package dev.nonbis.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the benches and of the campaigns that try to break the server. */
@Command(
        name = "nonbis",
        subcommands = {Main.Bench.class, Main.Torture.class, SimCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {

    private Main() {}

    @Command(
            name = "bench",
            description = "Measures the server.",
            subcommands = {
                AdmissionCommand.class,
                ApprovalsCommand.class,
                PaymentsCommand.class,
                DispatchCommand.class,
                ConsoleCommand.class,
                UnderAttackCommand.class
            },
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "BENCH")
    static final class Bench {}

    @Command(
            name = "torture",
            description = "Tries to break the server.",
            subcommands = {
                KillsCommand.class,
                FaultsCommand.class,
                PowerCommand.class,
                ClusterCommand.class,
                DispatchTortureCommand.class,
                NatsTortureCommand.class,
                HttpFuzzCommand.class,
                AbuseCommand.class
            },
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "CAMPAIGN")
    static final class Torture {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage() == null ? failure.toString() : failure.getMessage());
                    return command.getCommandSpec().exitCodeOnExecutionException();
                });
    }
}
