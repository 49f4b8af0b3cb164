package dev.nonbis.bench.faults;

import dev.nonbis.bench.faults.Disk.Flush;
import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.judge.Guarantee;
import dev.nonbis.bench.judge.Judge;
import dev.nonbis.bench.judge.Violation;
import dev.nonbis.bench.process.ServerCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Loads a server on a disk that writes down all it is told. Then, for many moments of that log, makes what the directory may look like had
 * the power failed there, starts a real server on it, and judges by what clients had been told until that moment.
 */
public final class PowerCampaign {

    private final ServerCommand command;
    private final Consumer<String> progress;

    /**
     * How much.
     *
     * @param loaded how long there is load
     * @param honest whether the disk keeps what it was told to flush; a disk that lies has to be caught
     */
    public record Plan(int images, Duration loaded, boolean honest, long seed) {}

    public PowerCampaign(ServerCommand command, Consumer<String> progress) {
        this.command = command;
        this.progress = progress;
    }

    public FaultReport run(Plan plan) throws IOException, InterruptedException {
        var random = new SplittableRandom(plan.seed());
        try (var disk = Disk.make();
                var data = Scratch.make()) {
            var recorder = new Recorder(disk::loggedBytes);
            load(plan, disk, data.path(), recorder);
            long end = disk.loggedBytes();
            progress.accept(recorder.requests() + " requests, " + recorder.acknowledged() + " acknowledged, " + end
                    + " bytes in the disk's log");
            var violations = new ArrayList<Violation>();
            recorder.history().breakdowns().forEach(what -> violations.add(new Violation(Guarantee.G12, what)));
            for (int image = 1; image <= plan.images(); image++) {
                long moment = image == plan.images() ? recorder.lastHeardAt() : moment(image, end, recorder, random);
                long seed = random.nextLong();
                var found = judge(disk.log(), data.path(), recorder.until(moment), new Moment(moment, seed));
                violations.addAll(found);
                progress.accept("image " + image + " of " + plan.images() + " at " + moment + " of " + end + ", seed "
                        + seed + ": " + found.size() + " violations");
            }
            return new FaultReport(
                    "POWER", plan.seed(), plan.images(), recorder.requests(), recorder.acknowledged(), violations);
        }
    }

    // The first moments are rare and dangerous: the file is being made. So are those at which somebody was just
    // answered:
    // all that follows later may yet flush what was forgotten.
    private static long moment(int image, long end, Recorder recorder, SplittableRandom random) {
        long moment = random.nextLong(image % 8 == 0 ? end / 10 : end);
        return image % 2 == 0 ? moment : recorder.heardAtOrBefore(moment);
    }

    /** Where in the log the power fails, and what decides what is lost. */
    private record Moment(long at, long seed) {}

    private void load(Plan plan, Disk disk, Path data, Recorder recorder) throws IOException, InterruptedException {
        disk.flush(plan.honest() ? Flush.WORKS : Flush.LIES);
        try (var ground = Ground.at(data, command, disk.loggedUnder(data))) {
            ground.start();
            ground.prepare();
            var load = new Load(ground.address(), recorder, plan.seed());
            load.begin();
            Thread.sleep(plan.loaded());
            load.wantNoMore();
            load.end();
            ground.mistakes().forEach(recorder::brokeDown);
            ground.server().kill();
        }
    }

    private List<Violation> judge(Path log, Path original, Recorder known, Moment moment)
            throws IOException, InterruptedException {
        try (var image = Scratch.make()) {
            PowerFailure.strike(DiskLog.read(log, moment.at), moment.seed, image.path());
            var found = new ArrayList<Violation>();
            if (known.acknowledged() > 0 && !hasSameKeys(original, image.path())) {
                found.add(new Violation(Guarantee.G2, "the keys that receipts were signed with are lost"));
            }
            try (var ground = Ground.onRemains(image.path(), command)) {
                ground.start();
                found.addAll(repeat(ground, known));
                Judge.judge(known.history(), ground.exportAtRest(), Ground.PROMISES).stream()
                        // Nobody works here, so nothing moves.
                        .filter(violation -> violation.guarantee() != Guarantee.G12)
                        .forEach(found::add);
            } catch (IOException e) {
                found.add(new Violation(Guarantee.G2, "no server can be started on what is left: " + e.getMessage()));
            }
            return found;
        }
    }

    private static boolean hasSameKeys(Path original, Path image) throws IOException {
        var keys = image.resolve(Ground.SIGNING_KEYS);
        return Files.exists(keys) && Files.mismatch(keys, original.resolve(Ground.SIGNING_KEYS)) < 0;
    }

    // Every answer that was heard is asked for again; the judge compares.
    private static List<Violation> repeat(Ground ground, Recorder known) {
        var acknowledged = new LinkedHashMap<String, Exchange>();
        for (var exchange : known.history().exchanges()) {
            if (exchange.operation().isPresent()
                    && exchange.reply().filter(Exchange.Reply::isSuccess).isPresent()) {
                acknowledged.put(
                        exchange.tenant()
                                + exchange.sent().path()
                                + exchange.sent().key(),
                        exchange);
            }
        }
        var unanswered = new ArrayList<Violation>();
        for (var exchange : acknowledged.values()) {
            try (var caller = new Caller(ground.address(), exchange.tenant(), known)) {
                var sent = exchange.sent();
                var wish = new Wish(sent.path(), sent.key().orElseThrow(), sent.body());
                if (caller.send(wish.call())
                        .filter(answer -> answer.status() < 500)
                        .isEmpty()) {
                    unanswered.add(new Violation(Guarantee.G2, "no answer any more to " + wish));
                }
            }
        }
        return unanswered;
    }
}
