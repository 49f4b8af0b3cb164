package dev.nonbis.bench.cluster;

import dev.nonbis.bench.cluster.Person.Wish;
import dev.nonbis.bench.http.Answer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * One of several workers of a tenant. Now and then another one gets hold of the same delivery and both begin at once, it works for longer
 * than its lease, reports twice, or never.
 */
final class Worker {

    private static final Duration LONGER_THAN_THE_LEASE = Duration.ofMillis(3_500);

    private final Hand own;
    private final Hand rival;
    private final Log log;
    private final SplittableRandom random;
    private final BooleanSupplier misbehaves;

    /** A worker's name, and who speaks for it. */
    record Hand(String worker, Person person) {}

    /**
     * A worker and its rival.
     *
     * @param misbehaves whether it may be late or silent
     */
    Worker(Hand own, Hand rival, Log log, SplittableRandom random, BooleanSupplier misbehaves) {
        this.own = own;
        this.rival = rival;
        this.log = log;
        this.random = random;
        this.misbehaves = misbehaves;
    }

    /** Takes some work and does it. */
    void work() throws InterruptedException {
        var polled = own.person()
                .ask(Wish.post("/api/v1/worker/poll", "", """
                        {"worker_id":"%s","topics":["job.default","job.review","job.step"],"max":4,"wait_ms":300}""".formatted(own.worker())))
                .filter(Answer::isSuccess);
        if (polled.isEmpty()) {
            return;
        }
        for (var delivery : Person.json(polled.get()).path("deliveries")) {
            try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
                var chance = random.split();
                boolean isRace = random.nextInt(4) == 0;
                var raced = both.submit(() -> isRace && work(rival, delivery, chance));
                work(own, delivery, random);
                raced.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a rival failed by its own fault", e.getCause());
            }
        }
    }

    /** Whether it came to an end. */
    private boolean work(Hand hand, JsonNode delivery, SplittableRandom chance) throws InterruptedException {
        var job = delivery.path("job_id").asString();
        int fence = delivery.path("fence").asInt();
        var path = "/api/v1/jobs/" + job;
        var who = "{\"worker_id\":\"" + hand.worker() + "\",\"fence\":" + fence;
        var person = hand.person();
        if (person.insist(Wish.post(path + "/start", "", who + "}"))
                .filter(Answer::isSuccess)
                .isEmpty()) {
            return false;
        }
        log.worked(
                person.tenant(),
                new Log.Work(
                        job,
                        fence,
                        hand.worker(),
                        delivery.path("idempotency_key").asString()));
        int draw = chance.nextInt(100);
        if (draw < 3 && misbehaves.getAsBoolean()) {
            if (draw < 2) {
                return false;
            }
            Thread.sleep(LONGER_THAN_THE_LEASE);
        }
        var status = draw < 90 ? "succeeded" : draw < 97 ? "retryable" : "failed";
        var result = Wish.post(
                path + "/result",
                "",
                who + ",\"status\":\"" + status + "\",\"output\":{\"by\":\"" + hand.worker() + "\"}}");
        person.insist(result);
        if (chance.nextInt(10) == 0) {
            person.insist(result);
        }
        return true;
    }
}
