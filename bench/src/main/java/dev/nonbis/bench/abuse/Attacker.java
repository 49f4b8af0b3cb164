package dev.nonbis.bench.abuse;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.process.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that sends whatever it likes, with a credential of its own tenant or without. {@link #close} ends all of it. */
public final class Attacker implements AutoCloseable {

    static final String TENANT = "mallory";
    /** How many large things it stores. */
    static final int MOST_STORED = 300;

    private static final int CONNECT_WITHIN_MS = 2_000;
    private static final int MOST_SLOW = 4;
    private static final int SHOWN = 160;
    private static final int LARGE = 1_000_000;
    private static final String TOKEN = Credential.forTenant(TENANT).token();

    private final InetSocketAddress api;
    private final SplittableRandom seeds;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Thread> running = new ArrayList<>();
    private final PriorityQueue<Slow> slowest = new PriorityQueue<>(Comparator.comparingLong(Slow::millis));
    private final AtomicInteger stored = new AtomicInteger();
    private final LongAdder strikes = new LongAdder();
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private volatile Optional<String> cookie = Optional.empty();
    private volatile boolean over;

    private record Slow(long millis, String request) {}

    public Attacker(InetSocketAddress api, long seed) {
        this.api = api;
        this.seeds = new SplittableRandom(seed);
    }

    /** Starts the attack; it goes on until {@link #pause}. */
    public void begin(Attack attack) {
        over = false;
        for (int i = 0; i < attack.threads(); i++) {
            var random = seeds.split();
            running.add(Thread.ofVirtual().start(() -> strike(attack, random)));
        }
    }

    private void strike(Attack attack, SplittableRandom random) {
        try {
            while (!over) {
                strikeOnce(attack, random);
                Thread.sleep(random.nextInt(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void strikeOnce(Attack attack, SplittableRandom random) throws InterruptedException {
        strikes.increment();
        try {
            attack.strike(this, random);
        } catch (IOException e) {
            // Refused, cut off, or nobody there: what counts is what the honest tenant meets meanwhile.
            return;
        }
    }

    /** Ends the attack and closes all its connections. */
    public void pause() throws InterruptedException {
        over = true;
        running.forEach(Thread::interrupt);
        for (var thread : running) {
            thread.join();
        }
        running.clear();
        List.copyOf(open).forEach(this::drop);
    }

    @Override
    public void close() {
        try {
            pause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public long strikes() {
        return strikes.sum();
    }

    /** Asks in form and with the credential; empty when there is no answer. */
    Optional<Answer> ask(Call call) {
        long start = System.nanoTime();
        try {
            return Optional.of(HttpConnection.once(api, call.as(TOKEN)));
        } catch (IOException e) {
            return Optional.empty();
        } finally {
            remember(call, Duration.ofNanos(System.nanoTime() - start).toMillis());
        }
    }

    private synchronized void remember(Call call, long millis) {
        slowest.add(new Slow(
                millis,
                call + " " + new String(call.body(), 0, Math.min(SHOWN, call.body().length), StandardCharsets.UTF_8)));
        if (slowest.size() > MOST_SLOW) {
            slowest.poll();
        }
    }

    /** The requests in form that took longest since this was last asked. */
    synchronized List<String> slowest() {
        var words = slowest.stream()
                .map(slow -> slow.millis() + " ms: " + slow.request())
                .toList();
        slowest.clear();
        return words;
    }

    Optional<Answer> post(String path, String body) {
        return ask(Call.post(path, body.getBytes(StandardCharsets.UTF_8)));
    }

    boolean put(String path, String body) {
        return ask(Call.put(path, body.getBytes(StandardCharsets.UTF_8)))
                .filter(Answer::isSuccess)
                .isPresent();
    }

    /** Takes work of a topic and reports each as done. */
    void work(String topic) {
        post("/api/v1/worker/poll", poll(topic, 10))
                .filter(Answer::isSuccess)
                .ifPresent(answer -> json(answer).path("deliveries").forEach(delivery -> {
                    var path = "/api/v1/jobs/" + delivery.path("job_id").asString();
                    var who = "{\"worker_id\":\"mallory\",\"fence\":"
                            + delivery.path("fence").asInt();
                    post(path + "/start", who + "}");
                    post(path + "/result", who + ",\"status\":\"succeeded\"}");
                }));
    }

    static String poll(String topic, int most) {
        return "{\"worker_id\":\"mallory\",\"topics\":[\"" + topic + "\"],\"max\":" + most + ",\"wait_ms\":0}";
    }

    /** Stores one more job of nearly 1 MiB, unless it has stored enough; whether it did. */
    boolean store() {
        if (stored.get() >= MOST_STORED) {
            return false;
        }
        post("/api/v1/jobs", "{\"topic\":\"job.bulk\",\"input\":{\"text\":\"" + "x".repeat(LARGE) + "\"}}")
                .filter(Answer::isSuccess)
                .ifPresent(answer -> {
                    stored.incrementAndGet();
                    ids.add(json(answer).path("job_id").asString());
                });
        return true;
    }

    /** One of the large jobs. */
    String anyId(SplittableRandom random) {
        return ids.isEmpty() ? "job_none" : ids.get(random.nextInt(ids.size()));
    }

    /** The head of a request that announces so many bytes, or chunks for a negative number. */
    static String head(String request, boolean signed, int length) {
        return request + " HTTP/1.1\r\nHost: nonbis\r\nContent-Type: application/json\r\n"
                + (signed ? "Authorization: Bearer " + TOKEN + "\r\n" : "")
                + (length < 0 ? "Transfer-Encoding: chunked" : "Content-Length: " + length) + "\r\n\r\n";
    }

    /** A GET with the credential, as an API's client or as a browser that has signed in. */
    String get(String path) throws IOException {
        var credential = path.startsWith("/api/") || path.startsWith("/v1/")
                ? "Authorization: Bearer " + TOKEN
                : "Cookie: " + signedIn();
        return "GET " + path + " HTTP/1.1\r\nHost: nonbis\r\n" + credential + "\r\n\r\n";
    }

    private String signedIn() throws IOException {
        if (cookie.isEmpty()) {
            var form = Call.post("/sign-in", ("key=" + TOKEN).getBytes(StandardCharsets.UTF_8));
            var type = new Call.Header("Content-Type", "application/x-www-form-urlencoded");
            cookie = HttpConnection.once(
                            api,
                            new Call(form.target(), Optional.empty(), Optional.empty(), List.of(type), form.body()))
                    .header("set-cookie")
                    .map(value -> value.split(";", 2)[0]);
        }
        return cookie.orElseThrow(() -> new IOException("the console refused the attacker"));
    }

    /** Opens a connection and says this. */
    Socket say(String words) throws IOException {
        var socket = new Socket();
        open.add(socket);
        try {
            socket.connect(api, CONNECT_WITHIN_MS);
            write(socket, words);
            return socket;
        } catch (IOException e) {
            drop(socket);
            throw e;
        }
    }

    static void write(Socket socket, String words) throws IOException {
        socket.getOutputStream().write(words.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads and forgets what the server says until it is silent for so long, or has said so much, or ends. */
    void listen(Socket socket, int silenceMs, long most) throws IOException {
        try {
            socket.setSoTimeout(silenceMs);
            var bytes = new byte[16 << 10];
            long heard = 0;
            for (int n = 0; n >= 0 && heard < most; n = socket.getInputStream().read(bytes)) {
                heard += n;
            }
        } catch (SocketTimeoutException e) {
            // It has nothing more to say.
            return;
        } finally {
            drop(socket);
        }
    }

    /** Cuts it off without a farewell. */
    void vanish(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        drop(socket);
    }

    void drop(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more either way.
            open.remove(socket);
        }
    }

    private static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}
