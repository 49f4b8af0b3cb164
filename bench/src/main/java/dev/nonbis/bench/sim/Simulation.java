package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Exporter;
import dev.nonbis.bench.judge.History;
import dev.nonbis.bench.judge.Judge;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.judge.Violation;
import dev.nonbis.core.dispatch.QueuedMessage;
import dev.nonbis.testkit.store.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One history, decided by its seed: some hours in which everything goes wrong, then as long as it takes until everything has settled, then
 * the judgement.
 */
final class Simulation {

    private static final Duration LONGEST_HEALING = Duration.ofMinutes(100);
    private static final long LOOK_MICROS = Duration.ofMinutes(1).toNanos() / 1000;

    private record Workflow(String name, String steps) {}

    private static final List<Workflow> WORKFLOWS = List.of(new Workflow("plain", """
            {"steps":[{"id":"first","topic":"job.step"},
                      {"id":"second","topic":"job.step","needs":["first"],"when":"${input.more}"},
                      {"id":"third","topic":"job.step","needs":["first"]}]}
            """), new Workflow("reviewed", """
            {"steps":[{"id":"draft","topic":"job.step"},
                      {"id":"publish","topic":"job.step","needs":["draft"],"approval":true}]}
            """));

    private final long seed;
    private final Duration length;
    private final Agenda agenda;
    private final SimulatedServer.Surroundings around;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Stage stage;
    private final Chance chance;

    Simulation(
            long seed,
            Duration length,
            Configuration configuration,
            Variation variation,
            Optional<Consumer<String>> reader) {
        this.seed = seed;
        this.length = length;
        this.chance = new Chance(seed);
        this.agenda = new Agenda(begin(chance));
        var history = new History(agenda.instant());
        var weather = new Weather(chance.split());
        var trace = new Trace(agenda, reader);
        var broker = chance.of(0.6)
                ? Optional.of(new Broker(
                        new Broker.Surroundings(agenda, weather, chance.split(), history, trace), variation::broker))
                : Optional.<Broker>empty();
        this.around = new SimulatedServer.Surroundings(
                agenda,
                new Flows(agenda),
                weather,
                chance,
                trace,
                history,
                new MemoryBackend(),
                broker,
                configuration,
                variation);
        int many = 1 + chance.below(3);
        for (int i = 1; i <= many; i++) {
            servers.add(new SimulatedServer(i, around));
        }
        this.stage = new Stage(around, servers);
    }

    // Near the end of a month, and mostly near the end of a day, so that days and months end while it runs.
    private static Instant begin(Chance chance) {
        var day = Instant.parse(chance.of(0.6) ? "2026-03-30T00:00:00Z" : "2026-03-31T00:00:00Z");
        int seconds = 24 * 3600;
        return day.plusSeconds(chance.of(0.6) ? seconds - 1 - chance.below(3600) : chance.below(seconds));
    }

    /** What came of it. */
    record Outcome(long seed, Duration simulated, int requests, List<Violation> violations) {}

    Outcome run() {
        servers.forEach(SimulatedServer::start);
        prepare();
        weatherChanges();
        servers.forEach(this::crashes);
        servers.forEach(this::clockJumps);
        around.broker().ifPresent(this::brokerLives);
        actors().forEach(around.flows()::start);
        agenda.runUntil(length.toNanos() / 1000);
        heal();
        stage.waiting().forEach(around.history()::leftUnanswered);
        var violations = Judge.judge(around.history(), export(), promises());
        var simulated = Duration.ofNanos(agenda.micros() * 1000);
        around.flows().end();
        return new Outcome(seed, simulated, around.history().exchanges().size(), violations);
    }

    private void prepare() {
        around.weather().clear();
        Configuration.TENANTS.forEach(tenant -> WORKFLOWS.forEach(
                workflow -> root(tenant).put("/api/v1/workflows/" + workflow.name(), workflow.steps())));
        around.weather().cloud();
    }

    private List<Runnable> actors() {
        var actors = new ArrayList<Runnable>();
        for (var tenant : Configuration.TENANTS) {
            actors.add(new Submitter(stage, tenant, "alice"));
            actors.add(new Submitter(stage, tenant, "alice"));
            actors.add(new Submitter(stage, tenant, "arthur"));
            actors.add(new Approver(stage, tenant));
            actors.add(new Operator(stage, tenant));
            actors.add(new SimulatedWorker(stage, tenant, tenant + "-worker-1"));
            actors.add(new SimulatedWorker(stage, tenant, tenant + "-worker-2"));
        }
        actors.add(new Snoop(stage, "globex", "acme"));
        actors.add(new Snoop(stage, "acme", "globex"));
        return actors;
    }

    private void weatherChanges() {
        agenda.after(around.weather().change(), this::weatherChanges);
        if (!around.weather().isClear()) {
            around.trace().tell(() -> "the weather: " + around.weather());
        }
    }

    private void crashes(SimulatedServer server) {
        agenda.after(chance.microsAround(around.weather().betweenCrashes), () -> {
            if (!around.weather().isClear()) {
                server.kill();
                crashes(server);
            }
        });
    }

    private void clockJumps(SimulatedServer server) {
        var error = around.weather().clockError;
        if (error.isZero()) {
            return;
        }
        server.clock().jumpTo(chance.microsBetween(error.negated(), error));
        agenda.after(chance.microsAround(Duration.ofMinutes(9)), () -> {
            if (!around.weather().isClear()) {
                clockJumps(server);
                around.trace()
                        .tell(() -> server.name() + " has its clock "
                                + server.clock().errorMicros() / 1000 + " ms off");
            }
        });
    }

    private void brokerLives(Broker broker) {
        agenda.after(chance.microsAround(Duration.ofMinutes(1)), () -> {
            if (!around.weather().isClear() && chance.of(0.01)) {
                around.trace().tell(() -> "the broker forgets everything");
                broker.forget();
            }
            broker.purge();
            brokerLives(broker);
        });
    }

    private void heal() {
        around.trace().tell(() -> "from here on nothing goes wrong");
        around.weather().clear();
        stage.close();
        long end = agenda.micros() + LONGEST_HEALING.toNanos() / 1000;
        do {
            agenda.runUntil(agenda.micros() + LOOK_MICROS);
        } while (agenda.micros() < end && !isSettled());
    }

    private boolean isSettled() {
        return stage.waiting().isEmpty()
                && servers.stream().allMatch(server -> server.life().isPresent())
                && Configuration.TENANTS.stream()
                        .allMatch(tenant -> exporter(tenant).unsettled() == 0);
    }

    private Export export() {
        var tenants = new LinkedHashMap<String, Export.OfTenant>();
        Configuration.TENANTS.forEach(
                tenant -> tenants.put(tenant, exporter(tenant).export()));
        return new Export(tenants);
    }

    private Exporter exporter(String tenant) {
        return new Exporter(root(tenant)::get);
    }

    private RootApi root(String tenant) {
        return new RootApi(request -> servers.getFirst().life().orElseThrow().answer(request), tenant);
    }

    private Promises promises() {
        return new Promises(
                Map.of("jobs", Configuration.JOB_RETENTION, "payments", Configuration.PAYMENT_RETENTION),
                around.weather().clockError,
                Configuration.RUN_LIMITS,
                Configuration.BUDGETS,
                QueuedMessage.WINDOW);
    }
}
