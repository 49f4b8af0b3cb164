package dev.nonbis.server.cli;

import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Starts a server, submits one job and stops: the rehearsal from which the launcher's cache of loaded classes is made. */
@Command(name = "warm-up", hidden = true)
final class WarmUpCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final ServerLauncher launcher;

    WarmUpCommand(Terminal terminal, ServerLauncher launcher) {
        this.terminal = terminal;
        this.launcher = launcher;
    }

    @Override
    public Integer call() throws IOException {
        Logging.start();
        var data = Files.createTempDirectory("nonbis-warm-up");
        var setup = DevSetup.of(data, 0, 0);
        try (var server = launcher.start(setup.config())) {
            var client = NonbisClient.builder(server.url(), setup.token()).build();
            var job = client.submitJob(JobSubmission.to("job.default").prompt("warm-up"));
            client.getJob(job.jobId());
        } finally {
            remove(data);
        }
        terminal.err().println("warm");
        return ExitCode.DONE.code();
    }

    private static void remove(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
