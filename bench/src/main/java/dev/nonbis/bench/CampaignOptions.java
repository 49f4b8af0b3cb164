package dev.nonbis.bench;

import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.torture.DispatchCampaign;
import dev.nonbis.bench.torture.DispatchReport;
import dev.nonbis.bench.torture.Victim;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every campaign that sends jobs through workers is told, and how it tells. */
final class CampaignOptions {

    @Spec(Spec.Target.MIXEE)
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--workers", description = "How many workers.")
    int workers = 8;

    @Option(
            names = "--processes",
            description = "How many processes they live in; a process is killed or paused as a whole.")
    int processes = 2;

    @Option(names = "--tasks", description = "How many tasks each worker does at a time.")
    int tasks = 8;

    @Option(
            names = "--seed",
            description = "Decides load and delays (default: the time).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Option(names = "--json", description = "Machine-readable report on standard output.")
    boolean json;

    /** A directory for the server under attack. */
    ServerDirectory directory(String moreConfiguration) throws IOException {
        var directory = ServerDirectory.create(
                List.of(Credential.forTenant("acme")), DispatchCampaign.CONFIG + moreConfiguration);
        Files.writeString(directory.root().resolve("topics.yaml"), DispatchCampaign.TOPICS_FILE);
        return directory;
    }

    /** Runs the campaign and prints what came of it. */
    DispatchReport run(int jobs, int kills, Victim victim, ServerDirectory directory)
            throws IOException, InterruptedException {
        var size = new DispatchCampaign.Size(jobs, workers, processes, tasks, kills, seed.orElseGet(System::nanoTime));
        say("seed " + size.seed());
        var report = new DispatchCampaign(size, victim, directory.root().resolve("workers.log"), this::say).run();
        var out = spec.commandLine().getOut();
        out.println(json ? report.asJson() : report.asText());
        out.flush();
        return report;
    }

    void say(String words) {
        var talk = spec.commandLine().getErr();
        talk.println(words);
        talk.flush();
    }
}
