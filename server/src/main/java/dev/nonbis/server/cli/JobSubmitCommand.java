package dev.nonbis.server.cli;

import dev.nonbis.client.JobSubmission;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "submit",
        description = "Submit a job; it exists once, however often this is sent.",
        mixinStandardHelpOptions = true)
final class JobSubmitCommand extends ClientCommand {

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "What kind of work it is.")
    private String topic = "";

    @Option(names = "--prompt", paramLabel = "TEXT", description = "What to do, in words.")
    private Optional<String> prompt = Optional.empty();

    @Option(names = "--input", paramLabel = "JSON", description = "JSON text, @FILE, or - for standard input.")
    private Optional<String> input = Optional.empty();

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "A label; may be repeated.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--key", paramLabel = "KEY", description = "The idempotency key; made and told when absent.")
    private Optional<String> key = Optional.empty();

    @Option(names = "--deadline", paramLabel = "DURATION", description = "How long the job is worth doing.")
    private Optional<Duration> deadline = Optional.empty();

    @Option(names = "--max-attempts", paramLabel = "N", description = "How often it may be tried.")
    private Optional<Integer> maxAttempts = Optional.empty();

    @Mixin
    private final WaitOptions waiting = new WaitOptions();

    JobSubmitCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    ExitCode run() {
        var client = connect();
        var job = submission();
        KeyTalk.tell(terminal, key, job.idempotencyKey());
        var submitted = client.submitJob(job);
        if (!waiting.isWait()) {
            report.object(terminal, submitted.answer());
            return submitted.state().equals("DENIED") ? ExitCode.DENIED : ExitCode.DONE;
        }
        terminal.err().println("job: " + Report.visible(submitted.jobId()));
        var last = waiting.follow(terminal, () -> client.getJob(submitted.jobId()));
        report.object(terminal, last);
        return ExitCode.ofState(WaitOptions.state(last));
    }

    private JobSubmission submission() {
        var job = JobSubmission.to(topic);
        job = prompt.map(job::prompt).orElse(job);
        job = input.map(new Inputs(terminal)::json).map(job::input).orElse(job);
        for (var label : labels.entrySet()) {
            job = job.label(label.getKey(), label.getValue());
        }
        job = deadline.map(job::deadline).orElse(job);
        job = maxAttempts.map(job::maxAttempts).orElse(job);
        return key.map(job::withKey).orElse(job);
    }
}
