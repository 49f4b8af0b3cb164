package dev.nonbis.bench.abuse;

import dev.nonbis.bench.abuse.HonestTenant.Felt;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.http.HttpConnection;
import dev.nonbis.bench.process.Credential;
import dev.nonbis.bench.process.ServerCommand;
import dev.nonbis.bench.process.ServerDirectory;
import dev.nonbis.bench.process.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A server with few file descriptors, an honest tenant at work on it, and an attacker that waits. */
public final class AttackedServer implements AutoCloseable {

    private static final int DESCRIPTORS = 1_024;
    private static final Duration CATCHES_UP_WITHIN = Duration.ofSeconds(40);
    // Work that an attacker took and did not do soon comes back, and can be taken again.
    private static final String TOPICS = "defaults: {dispatch_timeout: 5s, running_timeout: 20s, max_attempts: 500}\n";

    private final ServerDirectory directory;
    private final ServerProcess process;
    private final HonestTenant honest;
    private final Attacker attacker;

    private AttackedServer(ServerDirectory directory, ServerProcess process, long seed, Duration patience) {
        var random = new SplittableRandom(seed);
        var api = directory.ports().apiAddress();
        this.directory = directory;
        this.process = process;
        this.honest = new HonestTenant(api, random.nextLong(), patience, process::alive);
        this.attacker = new Attacker(api, random.nextLong());
    }

    /**
     * What the honest tenant felt during an attack, and what became of the server.
     *
     * @param slowest the attacker's requests that took longest
     * @param end how the process ended, or that it no longer takes connections; empty if neither
     */
    public record Aftermath(Felt felt, List<String> mistakes, long strikes, List<String> slowest, String end) {}

    public static AttackedServer start(ServerCommand command, long seed, Duration patience)
            throws IOException, InterruptedException {
        var directory = ServerDirectory.create(
                List.of(Credential.forTenant(HonestTenant.TENANT), Credential.forTenant(Attacker.TENANT)),
                "topics: {file: topics.yaml}\n");
        try {
            Files.writeString(directory.root().resolve("topics.yaml"), TOPICS);
            var process = ServerProcess.start(command.withDescriptors(DESCRIPTORS), directory);
            var server = new AttackedServer(directory, process, seed, patience);
            server.honest.begin();
            return server;
        } catch (IOException | InterruptedException e) {
            directory.close();
            throw e;
        }
    }

    void prepare(KnownAttack attack) {
        attack.prepare(attacker);
    }

    /** Returns after this time, from which on the honest tenant's answers count. */
    void warmUp(Duration time) throws InterruptedException {
        Thread.sleep(time);
        honest.catchUp(CATCHES_UP_WITHIN);
        honest.felt();
        honest.mistakes();
    }

    /** Attacks for so long, and returns once the honest tenant has caught up, or is given up. */
    Aftermath suffer(Attack attack, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        long before = attacker.strikes();
        attacker.begin(attack);
        var _ = process.awaitEnd(time);
        attacker.pause();
        honest.catchUp(CATCHES_UP_WITHIN);
        // Neither of the two waits for a process that has ended.
        if (!process.alive()) {
            honest.close();
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        var end = process.alive() ? unreachable() : "ended by " + cause() + " after " + seconds + " s";
        return new Aftermath(honest.felt(), honest.mistakes(), attacker.strikes() - before, attacker.slowest(), end);
    }

    private String cause() {
        var words = process.lastWords();
        return words.contains("OutOfMemoryError")
                ? "OutOfMemoryError"
                : words.lines().reduce("", (a, b) -> b);
    }

    private String unreachable() {
        return isReachable(directory.ports().apiAddress())
                ? isReachable(directory.ports().managementAddress()) ? "" : "lost its management port"
                : "runs, and its API no longer answers a new connection";
    }

    private static boolean isReachable(InetSocketAddress listener) {
        try {
            return HttpConnection.once(listener, Call.get("/livez")).status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    HonestTenant honest() {
        return honest;
    }

    Vitals vitals() throws IOException, InterruptedException {
        return Vitals.of(process.pid());
    }

    /** What the server wrote down as mistakes of its own. */
    List<String> mistakes() throws IOException {
        return directory.mistakes();
    }

    @Override
    public void close() throws IOException {
        attacker.close();
        honest.close();
        process.close();
        directory.close();
    }
}
