package dev.nonbis.bench.faults;

import dev.nonbis.bench.faults.Recorder.Work;
import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Clients of two tenants that want jobs, runs and payments, each once and however often they have to ask; humans who decide; workers who
 * work. All of them go on through every fault. {@link #wantNoMore} ends the wishes, {@link #end} all of it.
 */
final class Load {

    static final List<String> TENANTS = List.of("acme", "globex");

    private static final int CLIENTS = 3;
    private static final int WORKERS = 2;
    private final InetSocketAddress address;
    private final Recorder recorder;
    private final SplittableRandom seeds;
    private final AtomicInteger marks = new AtomicInteger();
    private final Map<String, List<Wish>> granted = new ConcurrentHashMap<>();
    private final List<Thread> clients = new ArrayList<>();
    private final List<Thread> others = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile boolean wanting = true;
    private volatile boolean over;

    Load(InetSocketAddress address, Recorder recorder, long seed) {
        this.address = address;
        this.recorder = recorder;
        this.seeds = new SplittableRandom(seed);
    }

    /** What somebody does until he is told to stop. */
    private interface Role {
        void step(Caller caller, SplittableRandom random) throws InterruptedException;
    }

    void begin() {
        for (var tenant : TENANTS) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(start(tenant, true, this::want));
            }
            for (int i = 0; i < WORKERS; i++) {
                var name = tenant + "-worker-" + i;
                others.add(start(tenant, false, (caller, random) -> work(caller, random, name)));
            }
            others.add(start(tenant, false, Load::decide));
        }
    }

    /** Returns when every client has its last answer. */
    void wantNoMore() throws InterruptedException {
        wanting = false;
        join(clients);
    }

    void end() throws InterruptedException {
        over = true;
        join(others);
        if (!failures.isEmpty()) {
            throw new IllegalStateException("the load failed by its own fault", failures.getFirst());
        }
    }

    private List<Wish> granted(String tenant) {
        return granted.computeIfAbsent(tenant, t -> new CopyOnWriteArrayList<>());
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (var thread : threads) {
            thread.join();
        }
    }

    private Thread start(String tenant, boolean isClient, Role role) {
        var random = seeds.split();
        return Thread.ofVirtual().start(() -> {
            try (var caller = new Caller(address, tenant, recorder)) {
                while (isClient ? wanting : !over) {
                    role.step(caller, random);
                    Thread.sleep(random.nextInt(5, 60));
                }
            } catch (InterruptedException | RuntimeException | Error e) {
                failures.add(e);
            }
        });
    }

    private void want(Caller caller, SplittableRandom random) throws InterruptedException {
        var earlier = granted(caller.tenant());
        if (!earlier.isEmpty() && random.nextInt(5) == 0) {
            var wish = earlier.get(random.nextInt(earlier.size()));
            var _ = caller.send((random.nextInt(4) == 0 ? wish.changed() : wish).call());
            return;
        }
        var wish = Wish.any(marks.incrementAndGet(), random);
        var copy = random.nextInt(4) == 0
                ? Optional.of(copy(caller.tenant(), wish, random.split()))
                : Optional.<Thread>empty();
        insist(caller, wish, random);
        if (copy.isPresent()) {
            copy.get().join();
        }
        if (random.nextInt(12) == 0) {
            cancel(caller, wish);
        }
    }

    private Thread copy(String tenant, Wish wish, SplittableRandom random) {
        return Thread.ofVirtual().start(() -> {
            try (var second = new Caller(address, tenant, recorder)) {
                insist(second, wish, random);
            } catch (InterruptedException | RuntimeException | Error e) {
                failures.add(e);
            }
        });
    }

    // Whoever heard nothing has to go on; whoever was refused for now may give up.
    private void insist(Caller caller, Wish wish, SplittableRandom random) throws InterruptedException {
        boolean mayHaveHappened = false;
        while (!over) {
            var answer = caller.send(wish.call());
            if (answer.isPresent() && !isAdvisedToRetry(answer.get())) {
                if (answer.get().status() == 200) {
                    granted(caller.tenant()).add(wish);
                }
                return;
            }
            mayHaveHappened |= answer.isEmpty() || answer.get().status() == 503;
            if (!mayHaveHappened && random.nextInt(3) == 0) {
                return;
            }
            Thread.sleep(random.nextInt(20, 150));
        }
        recorder.leftUnanswered(caller.tenant() + " " + wish);
    }

    private static boolean isAdvisedToRetry(Answer answer) {
        return answer.status() >= 300 && json(answer).path("retry").asString("").equals("same_key");
    }

    private void cancel(Caller caller, Wish wish) {
        var answer = caller.send(wish.call()).filter(a -> a.status() == 200);
        answer.map(Load::json).ifPresent(made -> {
            for (var kind : List.of("job", "run")) {
                if (made.has(kind + "_id")) {
                    var _ = caller.send(post(
                            "/api/v1/" + kind + "s/" + made.path(kind + "_id").asString() + "/cancel", "{}"));
                }
            }
        });
    }

    private static void decide(Caller caller, SplittableRandom random) {
        var waiting = caller.send(Call.get("/api/v1/approvals?status=waiting&limit=20"))
                .filter(answer -> answer.status() == 200)
                .map(Load::json);
        waiting.ifPresent(list -> list.path("items").forEach(item -> {
            var path = "/api/v1/approvals/" + item.path("job_id").asString();
            var verb = random.nextInt(4) > 0 ? "/approve" : "/reject";
            var _ = caller.send(post(path + verb, "{}"));
            if (random.nextInt(4) == 0) {
                var _ = caller.send(post(path + (random.nextBoolean() ? "/approve" : "/reject"), "{}"));
            }
        }));
    }

    private void work(Caller caller, SplittableRandom random, String name) throws InterruptedException {
        var polled = caller.send(post("/api/v1/worker/poll", """
                        {"worker_id":"%s","topics":["job.default","job.review","job.step"],"max":4,"wait_ms":200}""".formatted(name)));
        if (polled.isEmpty() || polled.get().status() != 200) {
            return;
        }
        for (var delivery : json(polled.get()).path("deliveries")) {
            work(
                    caller,
                    random,
                    new Work(
                            name,
                            delivery.path("job_id").asString(),
                            delivery.path("fence").asInt(),
                            delivery.path("idempotency_key").asString()));
        }
    }

    private static Call say(Work work, String verb, String more) {
        return post(
                "/api/v1/jobs/" + work.job() + "/" + verb,
                "{\"worker_id\":\"" + work.worker() + "\",\"fence\":" + work.fence() + more + "}");
    }

    private void work(Caller caller, SplittableRandom random, Work work) throws InterruptedException {
        if (!said(caller, say(work, "start", ""))) {
            return;
        }
        recorder.worked(caller.tenant(), work);
        Thread.sleep(random.nextInt(10));
        int draw = random.nextInt(100);
        var status = draw < 80 ? "succeeded" : draw < 90 ? "failed" : "retryable";
        said(caller, say(work, "result", ",\"status\":\"" + status + "\""));
    }

    /** Says it until the server has it or does not want it; whether the server took it. */
    private boolean said(Caller caller, Call call) throws InterruptedException {
        while (!over) {
            var answer = caller.send(call);
            if (answer.isPresent() && answer.get().status() < 500) {
                return answer.get().status() == 200;
            }
            Thread.sleep(50);
        }
        return false;
    }

    private static Call post(String path, String body) {
        return Call.post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}
