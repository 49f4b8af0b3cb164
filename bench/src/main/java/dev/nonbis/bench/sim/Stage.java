package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.judge.History;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Pace;
import dev.nonbis.client.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Where the actors of a simulation meet: what they know, how they call, and whether new work may still begin. */
final class Stage {

    private static final URI PLANE = URI.create("http://plane");

    private final SimulatedServer.Surroundings around;
    private final List<SimulatedServer> servers;
    private final Map<String, List<String>> jobs = new TreeMap<>();
    private final Map<String, List<String>> runs = new TreeMap<>();
    private final Map<String, List<String>> payments = new TreeMap<>();
    private final Set<String> waiting = new LinkedHashSet<>();
    private boolean open = true;
    private final Map<String, Integer> marks = new TreeMap<>();

    Stage(SimulatedServer.Surroundings around, List<SimulatedServer> servers) {
        this.around = around;
        this.servers = servers;
        Configuration.TENANTS.forEach(tenant -> {
            jobs.put(tenant, new ArrayList<>());
            runs.put(tenant, new ArrayList<>());
            payments.put(tenant, new ArrayList<>());
        });
    }

    Agenda agenda() {
        return around.agenda();
    }

    Flows flows() {
        return around.flows();
    }

    Weather weather() {
        return around.weather();
    }

    History history() {
        return around.history();
    }

    Trace trace() {
        return around.trace();
    }

    Chance chance() {
        return around.chance().split();
    }

    /** Whether actors may begin something new. */
    boolean isOpen() {
        return open;
    }

    void close() {
        open = false;
    }

    /** A number that nobody else of the tenant gets; other tenants do, so that their keys and bodies are often the same. */
    int mark(String tenant) {
        return marks.merge(tenant, 1, Integer::sum);
    }

    List<String> jobs(String tenant) {
        return jobs.getOrDefault(tenant, List.of());
    }

    List<String> runs(String tenant) {
        return runs.getOrDefault(tenant, List.of());
    }

    List<String> payments(String tenant) {
        return payments.getOrDefault(tenant, List.of());
    }

    /** Somebody waits for the final answer to this. */
    void waitsFor(String what) {
        waiting.add(what);
    }

    void hasAnswer(String what) {
        waiting.remove(what);
    }

    Set<String> waiting() {
        return waiting;
    }

    void sleep(Duration mean, Chance chance) {
        around.flows().sleep(chance.microsAround(mean));
    }

    NonbisClient client(String tenant, String subject) {
        return client(tenant, subject, RetryPolicy.DEFAULT);
    }

    NonbisClient client(String tenant, String subject, RetryPolicy retries) {
        var own = chance();
        return NonbisClient.builder(PLANE, Configuration.token(tenant, subject))
                .httpClient(new Network(new Exchange.Caller(tenant, subject), around, servers))
                .requestTimeout(Duration.ofSeconds(10))
                .retryPolicy(retries)
                .pace(new Pace() {
                    @Override
                    public long nanoTime() {
                        return around.agenda().micros() * 1000;
                    }

                    @Override
                    public void pause(Duration wait) {
                        around.flows().sleep(wait.toNanos() / 1000);
                    }

                    @Override
                    public double chance() {
                        return own.unit();
                    }
                })
                .build();
    }
}
