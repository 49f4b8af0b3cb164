package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.IdempotencyKeys;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Repeats one publish and one call around the edge of the bus's window of two minutes, and shows which layer absorbs each. The drill is the
 * worker of its own job, so that no other one has to do anything.
 */
@Command(
        name = "window",
        description = "Repeat a publish at +30 s, +119 s and +121 s and a call after that; which layer absorbs each?",
        mixinStandardHelpOptions = true)
final class DrillWindowCommand extends ClientCommand {

    private static final String TOPIC = "job.drill.window";
    private static final String WORKER = "drill-window";
    private static final List<Duration> REPEATED_AT =
            List.of(Duration.ofSeconds(30), Duration.ofSeconds(119), Duration.ofSeconds(121));
    private static final Duration WINDOW = Duration.ofMinutes(2);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration TICK = Duration.ofMillis(250);

    @Option(names = "--hour", description = "Wait until the call can be repeated after an hour, as the table says.")
    private boolean hour;

    DrillWindowCommand(Terminal terminal) {
        super(terminal);
    }

    /**
     * The job of this drill, in this worker's hands. It was published at some time between being submitted and being delivered: what has to
     * be inside the window is counted from the first, what has to be outside from the second.
     */
    private record Held(NonbisClient client, String job, int fence, Instant submitted, Instant delivered) {

        Instant at(Duration after) {
            return (after.compareTo(WINDOW) < 0 ? submitted : delivered).plus(after);
        }

        ObjectNode claim() {
            return Inputs.EXACT.createObjectNode().put("worker_id", WORKER).put("fence", fence);
        }

        Answer tell(String verb, ObjectNode body) {
            return client.call(Call.command("/api/v1/jobs/" + job + "/" + verb, body));
        }
    }

    @Override
    ExitCode run() {
        var steps = new DrillSteps();
        var client = connect();
        var submission = JobSubmission.to(TOPIC).withKey(IdempotencyKeys.next());
        var submitted = terminal.clock().instant();
        String job = client.submitJob(submission).jobId();
        terminal.err().println("submitted " + job + "; the drill takes a little more than two minutes");
        try {
            var held = start(client, job, submitted);
            for (var at : REPEATED_AT) {
                waitUntil(held, at);
                String expected = at.compareTo(WINDOW) < 0 ? "broker_window" : "job_state";
                steps.add(new DrillSteps.Step("+" + at.toSeconds() + "s", "publish again", expected, republish(held)));
            }
            held.tell("result", held.claim().put("status", "succeeded"));
            if (hour) {
                waitFor(Duration.between(
                        terminal.clock().instant(), held.delivered().plus(HOUR)));
            }
            var again = client.submitJob(submission);
            String saw = again.jobId().equals(job)
                    ? again.answer().replay().map(Answer.Replay::blockedBy).orElse("nothing")
                    : "another job";
            String at = "+"
                    + Duration.between(held.delivered(), terminal.clock().instant())
                            .toSeconds() + "s";
            steps.add(new DrillSteps.Step(at, "submit again", "idempotency_key", saw));
            var executions = client.getJob(job).body().path("executions").asString("?");
            steps.add(new DrillSteps.Step(at, "count executions", "1", executions));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed(ExitCode.ERROR, "interrupted", "run the drill again; it leaves one job behind");
        }
        return steps.print(terminal, report.isJson());
    }

    private Held start(NonbisClient client, String job, Instant submitted) throws InterruptedException {
        var end = terminal.clock().instant().plus(PATIENCE);
        while (terminal.clock().instant().isBefore(end)) {
            for (var delivery : poll(client)) {
                if (delivery.path("job_id").asString().equals(job)) {
                    var held = new Held(
                            client,
                            job,
                            delivery.path("fence").asInt(),
                            submitted,
                            terminal.clock().instant());
                    held.tell("start", held.claim());
                    return held;
                }
            }
            waitFor(TICK);
        }
        throw new CommandFailed(
                ExitCode.ERROR, "the job was not delivered", "look at /readyz and at the job's timeline");
    }

    private static JsonNode poll(NonbisClient client) {
        var body = Inputs.EXACT.createObjectNode().put("worker_id", WORKER).put("max", 10);
        body.putArray("topics").add(TOPIC);
        return client.call(Call.command("/api/v1/worker/poll", body)).body().path("deliveries");
    }

    /** Which layer stopped the repetition: the bus, or whatever the job's timeline names once a worker has asked for it. */
    private String republish(Held held) throws InterruptedException {
        long before = blocked(held);
        String status = held.tell("republish", Inputs.EXACT.createObjectNode())
                .body()
                .path("status")
                .asString();
        if (status.equals("duplicate")) {
            return "broker_window";
        }
        if (!status.equals("accepted")) {
            return status;
        }
        var end = terminal.clock().instant().plus(PATIENCE);
        while (terminal.clock().instant().isBefore(end)) {
            if (!poll(held.client()).isEmpty()) {
                return "nothing: it was delivered again";
            }
            if (blocked(held) > before) {
                return "job_state";
            }
            waitFor(TICK);
        }
        return "nothing in " + PATIENCE.toSeconds() + "s";
    }

    private static long blocked(Held held) {
        long times = 0;
        for (var entry : held.client().jobTimeline(held.job()).body().path("items")) {
            var data = entry.path("data");
            if (data.path("layer").asString("").equals("job_state")) {
                times += data.path("count").asLong(1);
            }
        }
        return times;
    }

    private void waitUntil(Held held, Duration after) throws InterruptedException {
        var end = held.at(after);
        for (var left = Duration.between(terminal.clock().instant(), end);
                left.isPositive();
                left = Duration.between(terminal.clock().instant(), end)) {
            if (left.compareTo(HEARTBEAT) > 0) {
                waitFor(HEARTBEAT);
                held.tell("heartbeat", held.claim());
            } else {
                waitFor(left);
            }
        }
    }

    private void waitFor(Duration time) throws InterruptedException {
        if (time.isPositive()) {
            terminal.pause().of(time);
        }
    }
}
