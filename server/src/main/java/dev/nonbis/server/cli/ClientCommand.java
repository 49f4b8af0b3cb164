package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a server and reports its answer. */
abstract sealed class ClientCommand implements Callable<Integer>
        permits JobSubmitCommand,
                JobCommands.Status,
                JobCommands.Listing,
                JobCommands.Cancel,
                JobCommands.Timeline,
                ApprovalCommands.Listing,
                ApprovalCommands.Show,
                ApprovalCommands.Approve,
                ApprovalCommands.Reject,
                WorkflowCommands.Put,
                WorkflowCommands.Show,
                WorkflowCommands.Listing,
                RunStartCommand,
                RunCommands.Status,
                RunCommands.Listing,
                RunCommands.Cancel,
                RunCommands.Timeline,
                KeyCommands.Show,
                KeyCommands.Release,
                LimitsSetCommand,
                PolicyExplainCommand,
                DeadLetterCommands.Discard,
                DrillCommand,
                DeadLetterCommands.Listing,
                DeadLetterCommands.Resolve,
                DeadLetterCommands.Retry,
                AuditCommands.Export,
                AuditCommands.Verify,
                AuditCommands.Head,
                AuditProofCommands.Checkpoint,
                AuditProofCommands.Proof,
                PaymentCommands.Submit,
                PaymentCommands.Listing,
                PaymentCommands.Show,
                PaymentCommands.Budgets,
                ReceiptVerifyCommand {

    final Terminal terminal;

    @Mixin
    final ServerOptions server = new ServerOptions();

    @Mixin
    final Report report = new Report();

    ClientCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public final Integer call() {
        return run().code();
    }

    abstract ExitCode run();

    final NonbisClient connect() {
        return server.connect(terminal);
    }
}
