package dev.nonbis.bench.faults;

import dev.nonbis.bench.faults.Fault.Scene;
import dev.nonbis.bench.judge.Judge;
import dev.nonbis.bench.process.ServerCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Loads a server, lets one kind of fault strike it, lets it heal, and has every guarantee judged. */
public final class FaultCampaign {

    private static final int SHORTEST_CALM_MS = 400;
    private static final int LONGEST_CALM_MS = 1_500;
    private static final Duration LONGEST_HEALING = Duration.ofSeconds(90);

    private final Kind kind;
    private final ServerCommand command;
    private final Consumer<String> progress;

    /** The faults that there are. */
    public enum Kind {
        STOP,
        CUT,
        FULL,
        FSYNC,
        SLOW,
        CLOCK;

        Fault make() throws IOException, InterruptedException {
            return switch (this) {
                case STOP -> new StoppedServer();
                case CUT -> new CutConnections();
                case FULL -> new FullDisk();
                case FSYNC -> new FailingFlush();
                case SLOW -> new SlowFlush();
                case CLOCK -> new JumpingClock();
            };
        }

        /** Whether this machine has what it takes. */
        public boolean isAvailable() {
            return switch (this) {
                case STOP, CUT -> true;
                case FULL, FSYNC, SLOW -> Disk.isAvailable();
                case CLOCK -> JumpingClock.library().isPresent();
            };
        }
    }

    public FaultCampaign(Kind kind, ServerCommand command, Consumer<String> progress) {
        this.kind = kind;
        this.command = command;
        this.progress = progress;
    }

    public FaultReport run(int strikes, long seed) throws IOException, InterruptedException {
        var random = new SplittableRandom(seed);
        var recorder = new Recorder(() -> 0);
        try (var fault = kind.make();
                var ground = Ground.at(fault.data(), command, fault.environment())) {
            ground.start();
            ground.prepare();
            var load = new Load(ground.address(), recorder, random.nextLong());
            load.begin();
            var scene = new Scene(ground, recorder, random);
            for (int strike = 1; strike <= strikes; strike++) {
                Thread.sleep(random.nextInt(SHORTEST_CALM_MS, LONGEST_CALM_MS));
                fault.strike(scene);
                progress.accept(kind + " " + strike + " of " + strikes + ": " + recorder.requests() + " requests");
            }
            heal(ground, load);
            fault.wasFelt(scene);
            ground.mistakes().forEach(recorder::brokeDown);
            var export = ground.export();
            var violations = Judge.judge(recorder.history(), export, Ground.PROMISES);
            return new FaultReport(
                    kind.name(), seed, strikes, recorder.requests(), recorder.acknowledged(), violations);
        }
    }

    // Whoever waits is answered and whatever was begun is ended, or the judge hears of it.
    private static void heal(Ground ground, Load load) throws InterruptedException {
        load.wantNoMore();
        long end = System.nanoTime() + LONGEST_HEALING.toNanos();
        while (ground.unsettled() > 0 && System.nanoTime() - end < 0) {
            Thread.sleep(100);
        }
        load.end();
    }
}
