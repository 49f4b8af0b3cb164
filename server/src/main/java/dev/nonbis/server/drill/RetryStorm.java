package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.JobSubmission;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.Problem;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.Query;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients gone mad: many of them submit the same few jobs over and over, all at once, and a third of them hang up before the answer comes. It
 * goes on until it is ended; then each job must exist once, with one answer for all who asked.
 */
public final class RetryStorm {

    private static final String NAME = "retry-storm";
    private static final String TOPIC = "job.drill.storm";
    private static final String LABEL = "drill";
    private static final int JOBS = 20;
    private static final int CALLERS = 24;
    private static final int ROUNDS = 3;
    private static final int HANGS_UP = 3;

    private final Stage stage;
    private final List<JobSubmission> jobs = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentMap<String, Set<String>> answers = new ConcurrentHashMap<>();
    private final Set<String> surprises = ConcurrentHashMap.newKeySet();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong fresh = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final String id;

    private RetryStorm(Stage stage) {
        this.stage = stage;
        for (int i = 0; i < JOBS; i++) {
            jobs.add(JobSubmission.to(TOPIC));
        }
        this.id = jobs.getFirst().idempotencyKey();
        jobs.replaceAll(job -> job.label(LABEL, id));
    }

    /** Begins; every caller goes through all jobs a few times at least. */
    public static RetryStorm begin(Stage stage) {
        var storm = new RetryStorm(stage);
        for (int i = 0; i < CALLERS; i++) {
            var client = i % HANGS_UP == 0 ? stage.impatient() : stage.client();
            storm.threads.add(Thread.ofVirtual().start(() -> storm.rage(client)));
        }
        return storm;
    }

    private void rage(NonbisClient client) {
        for (int round = 0; round < ROUNDS || !over.get(); round++) {
            for (var job : jobs) {
                submit(client, job);
            }
        }
    }

    private void submit(NonbisClient client, JobSubmission job) {
        sent.incrementAndGet();
        try {
            note(job, client.submitJob(job).answer());
        } catch (ProblemException e) {
            // A server that is asked for too much may say so; anything else has no place here.
            if (e.problem().retry() != Problem.Retry.SAME_KEY) {
                surprises.add(e.problem().code());
            }
        } catch (NonbisException e) {
            lost.incrementAndGet();
        }
    }

    private void note(JobSubmission job, Answer answer) {
        answers.computeIfAbsent(job.idempotencyKey(), key -> ConcurrentHashMap.newKeySet())
                .add(answer.text());
        if (!answer.replayed()) {
            fresh.incrementAndGet();
        }
    }

    /** Ends it, adds what it saw to the stage's steps, and cancels its jobs. */
    public void end() throws InterruptedException {
        over.set(true);
        for (var thread : threads) {
            thread.join();
        }
        stage.say(sent + " submissions of " + JOBS + " jobs; " + lost + " hung up before the answer");
        // Whoever hung up asks once more, and patiently.
        jobs.forEach(job -> submit(stage.client(), job));
        var made = made();
        step("count the jobs", String.valueOf(JOBS), String.valueOf(made.size()));
        step(
                "count the different answers",
                String.valueOf(JOBS),
                String.valueOf(answers.values().stream().mapToInt(Set::size).sum()));
        step(
                "count answers that are not replays",
                "at most " + JOBS,
                fresh.get() <= JOBS ? "at most " + JOBS : "" + fresh);
        step(
                "collect other refusals than overload",
                "none",
                surprises.isEmpty() ? "none" : String.join(", ", surprises));
        made.forEach(job -> stage.tidy(Stage.cancel("/api/v1/jobs/" + job)));
    }

    private Set<String> made() {
        var made = new LinkedHashSet<String>();
        var after = Optional.<String>empty();
        do {
            var page = stage.client()
                    .listJobs(Query.ALL.and("label", LABEL + ":" + id).and("after", after));
            page.items().forEach(job -> made.add(job.path("job_id").asString("")));
            after = page.next();
        } while (after.isPresent());
        return made;
    }

    private void step(String what, String expected, String seen) {
        stage.add(new Step(NAME, what, expected, seen));
    }
}
