package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.JobSubmission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeats one publish and one call around the edge of the bus's window of two minutes, and shows which layer absorbs each. The drill is the
 * worker of its own job, so that no other one has to do anything.
 */
final class WindowDrill implements Drill {

    private static final String TOPIC = "job.drill.window";
    private static final List<Duration> REPEATED_AT =
            List.of(Duration.ofSeconds(30), Duration.ofSeconds(119), Duration.ofSeconds(121));
    private static final Duration WINDOW = Duration.ofMinutes(2);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "window";
    }

    @Override
    public String summary() {
        return "Repeat a publish at +30 s, +119 s and +121 s and a call after that; which layer absorbs each?";
    }

    /**
     * The job was published at some time between being submitted and being delivered: what has to be inside the window is counted from the
     * first, what has to be outside from the second.
     */
    private record Published(Hands.Held held, Instant submitted, Instant delivered) {

        Instant at(Duration after) {
            return (after.compareTo(WINDOW) < 0 ? submitted : delivered).plus(after);
        }
    }

    @Override
    public void run(Stage stage) throws InterruptedException {
        var submission = JobSubmission.to(TOPIC);
        var submitted = stage.clock().instant();
        String job = stage.client().submitJob(submission).jobId();
        stage.say("the window of the bus is two minutes, and this drill takes a little more");
        try {
            var hands = new Hands(stage, TOPIC);
            var held = hands.take(job);
            step(stage, "submit a job and wait for its delivery", "delivered", held.isPresent() ? "delivered" : "not");
            if (held.isEmpty()) {
                return;
            }
            var published = new Published(held.get(), submitted, stage.clock().instant());
            held.get().start();
            for (var after : REPEATED_AT) {
                waitUntil(stage, published, after);
                String expected = after.compareTo(WINDOW) < 0 ? "broker_window" : "job_state";
                step(
                        stage,
                        "publish again at +" + after.toSeconds() + " s",
                        expected,
                        republish(stage, hands, held.get()));
            }
            held.get().result("succeeded");
            submitAgain(stage, submission, published);
        } finally {
            stage.tidy(Stage.cancel("/api/v1/jobs/" + job));
        }
    }

    private void submitAgain(Stage stage, JobSubmission submission, Published published) throws InterruptedException {
        if (stage.isAnHour()) {
            stage.pause(Duration.between(
                    stage.clock().instant(), published.delivered().plus(HOUR)));
        }
        String job = published.held().job();
        long seconds =
                Duration.between(published.delivered(), stage.clock().instant()).toSeconds();
        step(
                stage,
                "submit again at +" + seconds + " s",
                "the same job, by idempotency_key",
                Stage.word(
                        () -> stage.client().submitJob(submission).answer(),
                        answer -> (answer.body().path("job_id").asString("").equals(job)
                                        ? "the same job"
                                        : "another job")
                                + ", by "
                                + answer.replay().map(Answer.Replay::blockedBy).orElse("nothing")));
        step(
                stage,
                "count executions",
                "1",
                Stage.member("executions", () -> stage.client().getJob(job)));
    }

    /** Which layer stopped the repetition: the bus, or whatever the job's timeline names once a worker has asked for it. */
    private static String republish(Stage stage, Hands hands, Hands.Held held) throws InterruptedException {
        long before = blocked(stage, held);
        var call = Call.command("/api/v1/jobs/" + held.job() + "/republish", Stage.object());
        String status = Stage.word(() -> stage.client().call(call), DispatchDrill::layer);
        if (!status.equals("accepted")) {
            return status;
        }
        var again = new ArrayList<Hands.Held>();
        boolean stopped = stage.await(() -> again.addAll(hands.poll()) || blocked(stage, held) > before);
        if (!again.isEmpty()) {
            return "nothing: it was delivered again";
        }
        return stopped ? "job_state" : "nothing";
    }

    private static long blocked(Stage stage, Hands.Held held) {
        long times = 0;
        for (var entry : stage.client().jobTimeline(held.job()).body().path("items")) {
            var data = entry.path("data");
            if (data.path("layer").asString("").equals("job_state")) {
                times += data.path("count").asLong(1);
            }
        }
        return times;
    }

    private static void waitUntil(Stage stage, Published published, Duration after) throws InterruptedException {
        var end = published.at(after);
        for (var left = Duration.between(stage.clock().instant(), end);
                left.isPositive();
                left = Duration.between(stage.clock().instant(), end)) {
            if (left.compareTo(HEARTBEAT) > 0) {
                stage.pause(HEARTBEAT);
                published.held().tell("heartbeat", published.held().claim());
            } else {
                stage.pause(left);
            }
        }
    }

    private void step(Stage stage, String what, String expected, String seen) {
        stage.add(new Step(name(), what, expected, seen));
    }
}
