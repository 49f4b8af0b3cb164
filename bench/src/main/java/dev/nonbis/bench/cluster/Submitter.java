package dev.nonbis.bench.cluster;

import dev.nonbis.bench.cluster.Person.Wish;
import dev.nonbis.bench.http.Answer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Wants jobs, runs and payments, each once; sends again what it sent before, sends other things under old keys, and cancels. */
final class Submitter {

    private static final int REMEMBERED = 200;

    private final Person person;
    private final SplittableRandom random;
    private final AtomicInteger marks;
    private final List<Wish> wishes = new ArrayList<>();
    private final List<String> cancellable = new ArrayList<>();

    Submitter(Person person, SplittableRandom random, AtomicInteger marks) {
        this.person = person;
        this.random = random;
        this.marks = marks;
    }

    void step() throws InterruptedException {
        int choice = random.nextInt(100);
        if (choice < 25) {
            want(job());
        } else if (choice < 45) {
            want(run());
        } else if (choice < 65) {
            pay();
        } else if (choice < 80) {
            again();
        } else if (choice < 86) {
            mismatch();
        } else if (choice < 96) {
            cancel();
        } else {
            person.ask(Wish.get("/api/v1/runs?limit=1000"));
        }
    }

    /** Sends all that it remembers once more; the judge compares the answers. */
    void repeatAll() throws InterruptedException {
        for (var wish : List.copyOf(wishes)) {
            person.insist(wish);
        }
    }

    private void want(Wish wish) throws InterruptedException {
        if (wishes.size() >= REMEMBERED) {
            wishes.remove(random.nextInt(wishes.size()));
        }
        wishes.add(wish);
        // Refused at the limit, it comes back another time, under the same key.
        person.insist(wish).ifPresent(this::learn);
    }

    private void pay() throws InterruptedException {
        var payment = payment();
        want(payment);
        if (random.nextInt(4) == 0) {
            // Another key for the same nonce.
            want(new Wish(payment.method(), payment.path(), payment.key() + "-b", payment.body()));
        }
    }

    private void again() throws InterruptedException {
        if (!wishes.isEmpty()) {
            person.insist(wishes.get(random.nextInt(wishes.size()))).ifPresent(this::learn);
        }
    }

    private void mismatch() throws InterruptedException {
        if (!wishes.isEmpty()) {
            var wish = wishes.get(random.nextInt(wishes.size()));
            if (wish.path().equals("/api/v1/jobs")) {
                person.insist(new Wish(
                        wish.method(),
                        wish.path(),
                        wish.key(),
                        "{\"topic\":\"job.default\",\"prompt\":\"other " + marks.incrementAndGet() + "\"}"));
            }
        }
    }

    private void cancel() throws InterruptedException {
        if (!cancellable.isEmpty()) {
            var path = cancellable.remove(random.nextInt(cancellable.size()));
            person.insist(Wish.post(path + "/cancel", "", "{\"reason\":\"torture\"}"));
        }
    }

    private void learn(Answer answer) {
        if (answer.status() == 200) {
            var body = Person.json(answer);
            if (body.has("run_id")) {
                cancellable.add("/api/v1/runs/" + body.path("run_id").asString());
            } else if (body.has("job_id")) {
                cancellable.add("/api/v1/jobs/" + body.path("job_id").asString());
            }
        }
    }

    private Wish job() {
        int mark = marks.incrementAndGet();
        var topic = random.nextInt(3) == 0 ? "job.review" : "job.default";
        return Wish.post(
                "/api/v1/jobs", "key-" + mark, "{\"topic\":\"" + topic + "\",\"prompt\":\"work " + mark + "\"}");
    }

    private Wish run() {
        int mark = marks.incrementAndGet();
        return Wish.post("/api/v1/workflows/plain/runs", "key-" + mark, "{\"input\":{\"mark\":" + mark + "}}");
    }

    private Wish payment() {
        int mark = marks.incrementAndGet();
        boolean asks = random.nextInt(4) == 0;
        var expiry = Instant.now().plus(30, ChronoUnit.MINUTES).truncatedTo(ChronoUnit.SECONDS);
        return Wish.post("/v1/payment-requests", "key-" + mark, """
                {"agent_id":"%s","task_id":"task-%d","intent":"%s",\
                "amount":{"value":"0.%d","currency":"USD"},"token":"USDC",\
                "destination":{"type":"x402_endpoint","url":"https://api.example.com/v1/infer","method":"POST"},\
                "payment_protocol":"x402","chain":"base","provider_url":"https://api.example.com/v1",\
                "expiry":"%s","nonce":"01HZRG3MW7%016d","risk_class":"low"}""".formatted(
                        asks && random.nextBoolean() ? "agent-two" : "agent-one",
                        mark,
                        asks ? Cluster.INTENT_TO_ASK_FOR : "purchase_api_call",
                        10 + random.nextInt(60),
                        expiry,
                        mark));
    }
}
