package dev.nonbis.bench.abuse;

import dev.nonbis.bench.faults.Caller;
import dev.nonbis.bench.faults.Recorder;
import dev.nonbis.bench.faults.Recorder.Work;
import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Exporter;
import dev.nonbis.bench.judge.Judge;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A tenant that submits keyed jobs, replays them, reads them and works on them, at a fixed rate whatever the server does. A request's latency
 * counts from the moment when it was due until its final answer, all retries included, so that a stall of the server is seen by every request that was due
 * meanwhile.
 */
public final class HonestTenant implements AutoCloseable {

    static final String TENANT = "honest";

    private static final int CLIENTS = 6;
    private static final long INTERVAL_NANOS = Duration.ofMillis(25).toNanos();
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(30);
    private static final Duration SETTLES_WITHIN = Duration.ofSeconds(60);
    private static final int LONGEST_WAIT_MS = 1_000;
    private static final int MOST_KEPT = 5;
    private static final Promises PROMISES =
            new Promises(Map.of(), Duration.ZERO, Map.of(), Map.of(), Duration.ofMinutes(2));

    private final InetSocketAddress api;
    private final BooleanSupplier serverLives;
    private final Recorder recorder = new Recorder(() -> 0);
    private final SplittableRandom seeds;
    private final List<Job> jobs = new CopyOnWriteArrayList<>();
    private final Map<String, Long> underWay = new ConcurrentHashMap<>();
    private final List<Thread> clients = new ArrayList<>();
    private final List<String> mistakes = new CopyOnWriteArrayList<>();
    private final List<String> late = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong turns = new AtomicLong();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final ConcurrentHistogram micros = new ConcurrentHistogram(3);
    private final Duration patience;
    private volatile long startNanos;
    private volatile boolean over;

    /** A job that was acknowledged. */
    private record Job(Call submission, byte[] answer, String id) {}

    /** Latencies of a time, and how many requests were given up. */
    public record Felt(Histogram micros, int unanswered) {

        public double millis(double percentile) {
            return micros.getValueAtPercentile(percentile) / 1e3;
        }
    }

    /**
     * A tenant of the server at this address.
     *
     * @param patience an answer that takes longer is reported
     * @param serverLives false once there is no server any more to wait for
     */
    public HonestTenant(InetSocketAddress api, long seed, Duration patience, BooleanSupplier serverLives) {
        this.api = api;
        this.seeds = new SplittableRandom(seed);
        this.patience = patience;
        this.serverLives = serverLives;
    }

    public void begin() {
        startNanos = System.nanoTime();
        for (int i = 0; i < CLIENTS; i++) {
            var random = seeds.split();
            var worker = "honest-worker-" + i;
            // The attacker's threads are virtual and in the same process: these are not to wait for them.
            clients.add(Thread.ofPlatform().daemon().start(() -> live(random, worker)));
        }
    }

    /** Waits until all requests that are due by now have their answers, at most for this long. */
    public void catchUp(Duration atMost) throws InterruptedException {
        long now = System.nanoTime();
        while (serverLives.getAsBoolean()
                && System.nanoTime() - now < atMost.toNanos()
                && overdue().toNanos() > System.nanoTime() - now) {
            Thread.sleep(20);
        }
    }

    /** How long ago the oldest request was due that has no answer yet. */
    Duration overdue() {
        long now = System.nanoTime();
        return Duration.ofNanos(
                underWay.values().stream().mapToLong(due -> now - due).max().orElse(0));
    }

    /** What was felt since it was last asked. */
    public Felt felt() {
        var felt = micros.copy();
        micros.reset();
        return new Felt(felt, unanswered.getAndSet(0));
    }

    /** Answers that were late or cannot be right, since it was last asked. */
    public List<String> mistakes() {
        var all = new ArrayList<>(late);
        all.addAll(mistakes);
        late.clear();
        mistakes.clear();
        return all;
    }

    /** Ends all work and has the judge compare every answer with what the server says now. */
    public List<String> judge() throws InterruptedException {
        end();
        var exporter = new Exporter(this::get);
        long end = System.nanoTime() + SETTLES_WITHIN.toNanos();
        try (var caller = new Caller(api, TENANT, recorder)) {
            while (exporter.unsettled() > 0 && System.nanoTime() - end < 0) {
                work(caller, "honest-worker-at-the-end", System.nanoTime());
                Thread.sleep(20);
            }
        }
        return Judge.judge(recorder.history(), new Export(Map.of(TENANT, exporter.export())), PROMISES).stream()
                .limit(MOST_KEPT)
                .map(Object::toString)
                .toList();
    }

    public int requests() {
        return recorder.requests();
    }

    private void end() throws InterruptedException {
        over = true;
        for (var client : clients) {
            client.join();
        }
        clients.clear();
    }

    @Override
    public void close() {
        try {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void live(SplittableRandom random, String worker) {
        try {
            while (!over) {
                // A tenant that comes anew must be let in, too.
                try (var caller = new Caller(api, TENANT, recorder)) {
                    for (int left = random.nextInt(16); left >= 0 && !over; left--) {
                        step(caller, random, worker, nextDue(worker));
                    }
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            mistake("the honest tenant failed: " + e);
        }
    }

    private long nextDue(String worker) throws InterruptedException {
        long due = startNanos + turns.getAndIncrement() * INTERVAL_NANOS;
        underWay.put(worker, due);
        long early = due - System.nanoTime();
        if (early > 0) {
            Thread.sleep(Duration.ofNanos(early));
        }
        return due;
    }

    private void step(Caller caller, SplittableRandom random, String worker, long due) throws InterruptedException {
        int choice = random.nextInt(100);
        if (jobs.isEmpty() || choice < 35) {
            submit(caller, random, due);
        } else if (choice < 55) {
            replay(caller, jobs.get(random.nextInt(jobs.size())), due);
        } else if (choice < 75) {
            read(caller, jobs.get(random.nextInt(jobs.size())), due);
        } else {
            work(caller, worker, due);
        }
    }

    private void submit(Caller caller, SplittableRandom random, long due) throws InterruptedException {
        int number = numbers.incrementAndGet();
        // Some bodies are so large that the server may read them by other means.
        int size = random.nextInt(8) > 0 ? 40 : random.nextInt(4) > 0 ? 6_000 : 50_000;
        var call = post("/api/v1/jobs", "{\"topic\":\"job.honest\",\"prompt\":\"" + number + "x".repeat(size) + "\"}")
                .withKey("honest-" + number);
        var answer = insist(caller, call, due);
        if (answer.filter(Answer::isSuccess).isPresent()) {
            var id = json(answer.get()).path("job_id").asString("");
            jobs.add(new Job(call, answer.get().body(), id));
        } else {
            wrong(call, answer);
        }
    }

    private void replay(Caller caller, Job job, long due) throws InterruptedException {
        var answer = insist(caller, job.submission(), due);
        if (answer.isPresent()
                && !(answer.get().replayed() && Arrays.equals(answer.get().body(), job.answer()))) {
            mistake("a replay of " + job.submission() + " got " + answer.get() + " after "
                    + new String(job.answer(), StandardCharsets.UTF_8));
        }
    }

    private void read(Caller caller, Job job, long due) throws InterruptedException {
        var call = Call.get("/api/v1/jobs/" + job.id());
        var answer = insist(caller, call, due);
        if (answer.filter(a -> !json(a).path("job_id").asString("").equals(job.id()))
                .isPresent()) {
            wrong(call, answer);
        }
    }

    private void work(Caller caller, String worker, long due) throws InterruptedException {
        var poll = post("/api/v1/worker/poll", """
                {"worker_id":"%s","topics":["job.honest"],"max":4,"wait_ms":0}""".formatted(worker));
        var polled = insist(caller, poll, due);
        if (polled.filter(Answer::isSuccess).isEmpty()) {
            wrong(poll, polled);
            return;
        }
        for (var delivery : json(polled.get()).path("deliveries")) {
            var work = new Work(
                    worker,
                    delivery.path("job_id").asString(),
                    delivery.path("fence").asInt(),
                    delivery.path("idempotency_key").asString());
            if (said(caller, work, "start", "")) {
                recorder.worked(TENANT, work);
                said(caller, work, "result", ",\"status\":\"succeeded\"");
            }
        }
    }

    private boolean said(Caller caller, Work work, String verb, String more) throws InterruptedException {
        var call = post(
                "/api/v1/jobs/" + work.job() + "/" + verb,
                "{\"worker_id\":\"" + work.worker() + "\",\"fence\":" + work.fence() + more + "}");
        var answer = insist(caller, call, System.nanoTime());
        // Its lease may have ended while an answer was on its way.
        if (answer.filter(a -> a.isSuccess() || a.status() == 409).isEmpty()) {
            wrong(call, answer);
        }
        return answer.filter(Answer::isSuccess).isPresent();
    }

    /** Sends it until there is a final answer, and records how long that took; empty when it was given up. */
    private Optional<Answer> insist(Caller caller, Call call, long due) throws InterruptedException {
        Optional<Answer> last = Optional.empty();
        while (serverLives.getAsBoolean() && System.nanoTime() - due < GIVE_UP_AFTER.toNanos()) {
            last = caller.send(call);
            var advice = last.map(HonestTenant::advisedWaitMs).orElse(20);
            if (advice == 0) {
                record(call, due);
                return last;
            }
            Thread.sleep(advice);
        }
        unanswered.incrementAndGet();
        record(call, due);
        recorder.leftUnanswered(call + ", last " + last);
        return Optional.empty();
    }

    private void record(Call call, long due) {
        long took = System.nanoTime() - due;
        micros.recordValue(took / 1000);
        if (took > patience.toNanos() && late.size() < MOST_KEPT) {
            late.add(call + " waited " + Duration.ofNanos(took).toMillis() + " ms");
        }
    }

    /** How long the answer asks to wait before the same request is sent again; 0 if it is final. */
    private static int advisedWaitMs(Answer answer) {
        if (answer.isSuccess() || !json(answer).path("retry").asString("").equals("same_key")) {
            return 0;
        }
        return Math.clamp(json(answer).path("retry_after_ms").asInt(50), 10, LONGEST_WAIT_MS);
    }

    private void wrong(Call call, Optional<Answer> answer) {
        answer.ifPresent(a -> mistake(call + " got " + a));
    }

    private void mistake(String what) {
        if (mistakes.size() < MOST_KEPT) {
            mistakes.add(what);
        }
    }

    private JsonNode get(String path) {
        try {
            var call = Call.get(path).as(Credential.forTenant(TENANT).token());
            return json(HttpConnection.once(api, call));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Call post(String path, String body) {
        return Call.post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}
