package dev.nonbis.bench.cluster;

import dev.nonbis.bench.cluster.Person.Wish;
import dev.nonbis.bench.http.Answer;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;

/** Two who decide what waits for a human, jobs and payments, at times at once and against each other. */
final class Approvers {

    private final Person bob;
    private final Person carol;
    private final SplittableRandom random;

    Approvers(Person bob, Person carol, SplittableRandom random) {
        this.bob = bob;
        this.carol = carol;
        this.random = random;
    }

    /** Decides some of what waits. */
    void decide() throws InterruptedException {
        var list =
                bob.ask(Wish.get("/api/v1/approvals?status=waiting&limit=20")).filter(Answer::isSuccess);
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
}
