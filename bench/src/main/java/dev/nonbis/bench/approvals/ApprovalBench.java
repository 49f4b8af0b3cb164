package dev.nonbis.bench.approvals;

import dev.nonbis.bench.load.LoadGenerator;
import dev.nonbis.bench.load.Span;
import dev.nonbis.bench.measure.Report;
import dev.nonbis.bench.measure.Rounds;
import dev.nonbis.bench.measure.Stage;
import dev.nonbis.bench.measure.Subject;
import dev.nonbis.bench.measure.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Lets jobs wait, then measures decisions about them, repeated decisions and contrary ones. */
public final class ApprovalBench {

    private final Plan plan;
    private final Subject subject;
    private final ApprovalTraffic traffic;
    private final Consumer<String> progress;

    /**
     * How much is measured.
     *
     * @param jobs how many jobs wait for the measured decisions; a round of decisions ends early when its share is used up
     */
    public record Plan(int connections, int rounds, Duration perPhase, Duration warmUp, int jobs) {

        Duration perRound() {
            return perPhase.dividedBy(rounds);
        }

        int jobsPerRound() {
            return jobs / rounds;
        }
    }

    public ApprovalBench(Plan plan, Subject subject, Consumer<String> progress) {
        this.plan = plan;
        this.subject = subject;
        this.traffic = new ApprovalTraffic(subject);
        this.progress = progress;
    }

    public Report run() throws IOException {
        try (var generator = LoadGenerator.connect(subject.api(), plan.connections())) {
            var scenario = traffic.scenario(subject.offersNoop());
            var rounds = new Rounds(generator, subject.probe());
            letWait(rounds, plan.jobsPerRound());
            progress.accept("warming up");
            rounds.warmUp(scenario, plan.warmUp());
            letWait(rounds, plan.jobs());
            progress.accept("measuring");
            long before = traffic.decided();
            var figures = rounds.measure(scenario, plan.rounds(), plan.perRound());
            return report(new Stage("decisions", before, traffic.decided(), figures));
        }
    }

    private void letWait(Rounds rounds, int jobs) throws IOException {
        progress.accept("submitting " + jobs + " jobs that wait");
        rounds.run(traffic.ask(), Span.ofRequests(jobs));
        traffic.add(WaitingJobs.of(subject), plan.jobsPerRound());
    }

    private Report report(Stage stage) throws IOException {
        var footprint = subject.footprint();
        var setting = new Report.Setting(
                plan.connections(),
                plan.rounds(),
                plan.perRound().toMillis() / 1e3,
                Runtime.getRuntime().availableProcessors(),
                subject.description());
        var memory = Target.atMost("server's peak resident memory, MiB", 512, footprint.peakResidentMib());
        return new Report("approvals", setting, List.of(stage), List.of(), footprint, List.of(memory));
    }
}
