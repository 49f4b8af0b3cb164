package dev.nonbis.bench;

import dev.nonbis.bench.faults.Disk;
import dev.nonbis.bench.faults.PowerCampaign;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "power",
        description =
                "Starts servers on what a SQLite file may look like after a power failure, and checks that nothing is lost.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class PowerCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(names = "--images", description = "How many failures.")
    int images = 100;

    @Option(names = "--seconds", description = "How long there is load.")
    int seconds = 10;

    @Option(
            names = "--lie",
            description = "Lets the disk keep nothing that it says it keeps, to see that this is found.",
            showDefaultValue = Help.Visibility.NEVER)
    boolean lie;

    @Option(
            names = "--seed",
            description = "Decides load, moments and what is lost (default: the time).",
            showDefaultValue = Help.Visibility.NEVER)
    Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!Disk.isAvailable()) {
            throw new IOException("this takes Linux and a C compiler (packages gcc, libc6-dev)");
        }
        var talk = spec.commandLine().getErr();
        var plan = new PowerCampaign.Plan(images, Duration.ofSeconds(seconds), !lie, seed.orElseGet(System::nanoTime));
        var report = new PowerCampaign(server.command(), words -> {
                    talk.println(words);
                    talk.flush();
                })
                .run(plan);
        var out = spec.commandLine().getOut();
        out.println(report.asText());
        out.flush();
        return report.clean() ? 0 : 1;
    }
}
