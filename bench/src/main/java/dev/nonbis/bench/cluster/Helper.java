package dev.nonbis.bench.cluster;

import dev.nonbis.bench.cluster.Person.Wish;
import dev.nonbis.bench.http.Answer;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;

/** Those without whom nothing comes to its end: two who decide, at times at once and against each other, and a worker. */
final class Helper {

    private final Person bob;
    private final Person carol;
    private final Person worker;
    private final SplittableRandom random;

    Helper(Person bob, Person carol, Person worker, SplittableRandom random) {
        this.bob = bob;
        this.carol = carol;
        this.worker = worker;
        this.random = random;
    }

    /** Decides some of what waits. */
    void decide() throws InterruptedException {
        var list =
                bob.ask(Wish.get("/api/v1/approvals?status=waiting&limit=20")).filter(Helper::isSuccess);
        if (list.isEmpty()) {
            return;
        }
        for (var item : Person.json(list.get()).path("items")) {
            var path = "/api/v1/approvals/" + item.path("job_id").asString();
            var mine = random.nextInt(3) > 0 ? "/approve" : "/reject";
            var other = random.nextBoolean() ? mine : mine.equals("/approve") ? "/reject" : "/approve";
            try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
                if (random.nextInt(3) == 0) {
                    both.execute(() -> carol.ask(Wish.post(path + other, "", "{}")));
                }
                bob.insist(Wish.post(path + mine, "", "{}"));
            }
        }
    }

    /** Takes some work and does it. */
    void work() throws InterruptedException {
        var polled = worker.ask(Wish.post(
                        "/api/v1/worker/poll",
                        "",
                        "{\"worker_id\":\"w\",\"topics\":[\"job.default\",\"job.review\",\"job.step\"],"
                                + "\"max\":8,\"wait_ms\":300}"))
                .filter(Helper::isSuccess);
        if (polled.isEmpty()) {
            return;
        }
        for (var delivery : Person.json(polled.get()).path("deliveries")) {
            var path = "/api/v1/jobs/" + delivery.path("job_id").asString();
            var who = "{\"worker_id\":\"w\",\"fence\":" + delivery.path("fence").asInt();
            Optional<Answer> started = worker.insist(Wish.post(path + "/start", "", who + "}"));
            if (started.filter(Helper::isSuccess).isPresent()) {
                worker.insist(Wish.post(path + "/result", "", who + ",\"status\":\"succeeded\"}"));
            }
        }
    }

    private static boolean isSuccess(Answer answer) {
        return answer.status() < 300;
    }
}
