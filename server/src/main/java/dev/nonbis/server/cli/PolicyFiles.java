package dev.nonbis.server.cli;

import dev.nonbis.server.policy.cel.PolicyFile;
import java.nio.file.Path;

/** Opens a policy for a command, or lists everything that is wrong with it and ends the command. */
final class PolicyFiles {

    private PolicyFiles() {}

    static PolicyFile open(Terminal terminal, Path path) {
        return switch (PolicyFile.open(terminal.directory().resolve(path), terminal.clock())) {
            case PolicyFile.Opening.Opened(var file) -> file;
            case PolicyFile.Opening.Refused(var complaints) -> {
                complaints.forEach(complaint -> terminal.err().println(Report.visible(complaint.toString())));
                int count = complaints.size();
                throw new CommandFailed(
                        ExitCode.ERROR,
                        "the policy has " + (count == 1 ? "1 error" : count + " errors"),
                        "correct what is listed above");
            }
        };
    }
}
