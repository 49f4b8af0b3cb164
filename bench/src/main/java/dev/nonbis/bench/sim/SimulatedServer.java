package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.History;
import dev.nonbis.bench.sim.Variation.Duty;
import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.identity.Ids;
import dev.nonbis.core.operation.Dispatch;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.ExpireApprovals;
import dev.nonbis.core.operation.NoteDuplicates;
import dev.nonbis.core.operation.PollWork;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PurgeExpired;
import dev.nonbis.core.operation.Reconcile;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.operation.SweepNonces;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.server.StoreFailures;
import dev.nonbis.server.api.DispatchRoutes;
import dev.nonbis.server.api.LongPoll;
import dev.nonbis.server.api.Routes;
import dev.nonbis.server.http.Failures;
import dev.nonbis.server.http.Observer;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Router;
import dev.nonbis.server.metrics.DispatchMetrics;
import dev.nonbis.server.metrics.Metrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that dies and comes back. What it has in memory dies with it; the store and the broker are shared and stay. */
final class SimulatedServer {

    private static final Failures FAILURES = failure -> failure instanceof BusUnavailable
            ? Optional.of(Problem.of(ProblemCode.STORE_UNAVAILABLE, "The broker did not answer.")
                    .after(Duration.ofSeconds(1)))
            : new StoreFailures(new Metrics()).problemFor(failure);

    /** What all servers of a simulation share. */
    record Surroundings(
            Agenda agenda,
            Flows flows,
            Weather weather,
            Chance chance,
            Trace trace,
            History history,
            Backend store,
            Optional<Broker> broker,
            Configuration configuration,
            Variation variation) {}

    private final String name;
    private final Surroundings around;
    private final Chance chance;
    private final SkewedClock clock;
    private @Nullable Life life;

    SimulatedServer(int number, Surroundings around) {
        this.name = "server-" + number;
        this.around = around;
        this.chance = around.chance().split();
        this.clock = new SkewedClock(around.agenda());
    }

    String name() {
        return name;
    }

    SkewedClock clock() {
        return clock;
    }

    Optional<Life> life() {
        return Optional.ofNullable(life);
    }

    void start() {
        if (life == null) {
            around.trace().tell(() -> name + " starts");
            life = new Life();
            life.begin();
        }
    }

    /** Kills it from outside. */
    void kill() {
        if (life != null) {
            life.die();
        }
    }

    /** From one start to the next death. */
    final class Life {

        private final Router router;
        private final List<Duty> duties;
        private final List<Runnable> bereaved = new ArrayList<>();
        private boolean dead;

        private Life() {
            var configuration = around.configuration();
            var variation = around.variation();
            var store =
                    new SteppedStore(variation.backend(new UnsteadyBackend(around.store(), this, around.weather())));
            var ports = new Ports(
                    store,
                    clock,
                    new Ids(clock, chance.source().split()),
                    variation.policy(configuration.policy(), store),
                    configuration.expressions(),
                    configuration.signer(),
                    configuration.settings());
            var duplicates = new NoteDuplicates(ports);
            var embedded = new EmbeddedBus(store, clock);
            Bus bus = around.broker()
                    .<Bus>map(broker -> new UnsteadyBus(broker, this, around.weather()))
                    .orElse(embedded);
            var dispatching = new DispatchPorts(
                    ports,
                    variation.bus(bus, store),
                    configuration.topics(),
                    new DispatchMetrics(configuration.metrics(), duplicates));
            var routes = new ArrayList<>(Routes.of(ports, duplicates, configuration.metrics(), Set.of()));
            routes.addAll(DispatchRoutes.of(dispatching, new LongPoll(new PollWork(dispatching))));
            this.router = new Router(
                    variation.routes(List.copyOf(routes), store),
                    new Router.Parts(configuration.authenticator(), FAILURES, Observer.NONE));
            this.duties = variation.duties(duties(ports, dispatching, duplicates, embedded), dispatching);
        }

        private List<Duty> duties(
                Ports ports, DispatchPorts dispatching, NoteDuplicates duplicates, EmbeddedBus embedded) {
            var list = new ArrayList<>(List.of(
                    duty("dispatch", Duration.ofSeconds(5), repeat(new Dispatch(dispatching)::runOnce)),
                    duty("reconcile", Duration.ofSeconds(10), repeat(new Reconcile(dispatching)::runOnce)),
                    duty("duplicates", Duration.ofSeconds(40), duplicates::runOnce),
                    duty("approvals", Duration.ofSeconds(25), new ExpireApprovals(ports)::runOnce),
                    new Duty("purge", Duration.ofMinutes(2), new PurgeExpired(ports)::runSeveral),
                    duty("checkpoints", Duration.ofMinutes(3), new SealCheckpoint(ports)::runOnce),
                    duty("dropped events", Duration.ofMinutes(5), repeat(new DropSegment(ports)::runOnce)),
                    new Duty("nonces", Duration.ofMinutes(2), new SweepNonces(ports)::runSeveral)));
            if (around.broker().isEmpty()) {
                list.add(duty("messages", Duration.ofSeconds(20), repeat(embedded::purge)));
            }
            return list;
        }

        private Duty duty(String what, Duration every, IntSupplier work) {
            return new Duty(what, every, () -> {
                int moved = work.getAsInt();
                if (moved > 0) {
                    tell(() -> what + " moved " + moved);
                }
            });
        }

        private static IntSupplier repeat(IntSupplier work) {
            return () -> {
                int all = 0;
                for (int i = 0; i < 100; i++) {
                    int moved = work.getAsInt();
                    if (moved <= 0) {
                        break;
                    }
                    all += moved;
                }
                return all;
            };
        }

        private void begin() {
            duties.forEach(this::next);
        }

        private void next(Duty duty) {
            around.agenda().after(chance.microsAround(duty.every()), () -> {
                if (!dead) {
                    inSteps(() -> doOnce(duty));
                }
            });
        }

        private void doOnce(Duty duty) {
            try {
                duty.work().run();
            } catch (StoreUnavailable | BusUnavailable later) {
                around.trace().tell(() -> name + " " + duty.name() + ": " + later.getMessage());
            } catch (RuntimeException wrong) {
                around.history().brokeDown(name + " " + duty.name() + ": " + wrong);
            } catch (Crashed e) {
                return;
            }
            if (!dead) {
                next(duty);
            }
        }

        /** Answers, unless the server dies over it. */
        void serve(Request request, Consumer<Response> reply, Runnable gone) {
            if (dead) {
                gone.run();
                return;
            }
            bereaved.add(gone);
            inSteps(() -> {
                try {
                    var response = router.handle(request);
                    if (!dead) {
                        bereaved.remove(gone);
                        reply.accept(response);
                    }
                } catch (Crashed e) {
                    // Whoever waits has been told.
                }
            });
        }

        /** Answers at once; for whoever looks at the end. */
        Response answer(Request request) {
            return router.handle(request);
        }

        private void inSteps(Runnable work) {
            if (around.weather().isStepped()) {
                around.flows().start(work);
            } else {
                work.run();
            }
        }

        /** Others may come in between here. */
        void step() {
            if (dead) {
                throw new Crashed();
            }
            if (around.flows().isInFlow()) {
                long pause = around.weather().pauseMicros();
                if (pause > 0) {
                    around.flows().sleep(pause);
                    if (dead) {
                        throw new Crashed();
                    }
                }
            }
        }

        void tell(Supplier<String> what) {
            around.trace().tell(() -> name + " " + what.get());
        }

        void tellAll(Supplier<List<String>> lines) {
            if (around.trace().isHeard()) {
                lines.get().forEach(line -> tell(() -> line));
            }
        }

        Crashed crash() {
            die();
            return new Crashed();
        }

        private void die() {
            if (dead) {
                return;
            }
            dead = true;
            life = null;
            around.trace().tell(() -> name + " dies");
            bereaved.forEach(gone -> around.agenda().after(0, gone));
            around.agenda().after(chance.microsAround(Duration.ofSeconds(15)), SimulatedServer.this::start);
        }
    }
}
