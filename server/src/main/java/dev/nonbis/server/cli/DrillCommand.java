package dev.nonbis.server.cli;

import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.RetryPolicy;
import dev.nonbis.server.drill.Drill;
import dev.nonbis.server.drill.RetryStorm;
import dev.nonbis.server.drill.Stage;
import dev.nonbis.server.drill.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;

/** Runs drills against a live server and prints what each step expected and saw. */
@Command(
        name = "drill",
        description =
                "Try on a live server what the documents promise, and show what each step saw. Without a name: all of it.",
        mixinStandardHelpOptions = true)
final class DrillCommand extends ClientCommand {

    private static final List<String> COLUMNS = List.of("drill", "step", "expected", "seen", "");
    // Long enough to be sent, mostly too short to be answered.
    private static final Duration HANG_UP_AFTER = Duration.ofMillis(3);

    /** What makes a drill harder. */
    enum Chaos {
        RETRY_STORM;

        @Override
        public String toString() {
            return "retry-storm";
        }
    }

    private final List<Drill> drills;

    @Option(
            names = "--approver-key-file",
            paramLabel = "FILE",
            description = "A file with the API key of somebody else, who decides (else NONBIS_APPROVER_API_KEY, else "
                    + "./nonbis-data/dev-approver-key, else the same key).")
    private Optional<Path> approverKeyFile = Optional.empty();

    @Option(
            names = "--chaos",
            paramLabel = "KIND",
            description = "retry-storm: meanwhile many clients submit the same jobs over and over. For staging.")
    private Optional<Chaos> chaos = Optional.empty();

    @Option(names = "--hour", description = "In the window drill, wait an hour before the call is repeated.")
    private boolean hour;

    private DrillCommand(Terminal terminal, List<Drill> drills) {
        super(terminal);
        this.drills = drills;
    }

    /** The command for all drills, with one for each below it. */
    static CommandLine of(Terminal terminal) {
        var all = new CommandLine(new DrillCommand(terminal, Drill.ALL));
        for (var drill : Drill.ALL) {
            var one = new CommandLine(new DrillCommand(terminal, List.of(drill)));
            one.getCommandSpec().name(drill.name()).usageMessage().description(drill.summary());
            all.addSubcommand(drill.name(), one);
        }
        return all;
    }

    @Override
    ExitCode run() {
        var stage = stage();
        try {
            var storm = chaos.map(kind -> RetryStorm.begin(stage));
            try {
                for (var drill : drills) {
                    run(drill, stage);
                }
            } finally {
                if (storm.isPresent()) {
                    storm.get().end();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed(ExitCode.ERROR, "interrupted", "run the drill again; what it began was ended");
        }
        return print(stage.steps());
    }

    /** What one drill cannot get past does not keep the others from being run, unless the server is not ours to talk to. */
    private static void run(Drill drill, Stage stage) throws InterruptedException {
        try {
            drill.run(stage);
        } catch (ProblemException e) {
            if (Failures.isAboutCredentials(e.problem())) {
                throw e;
            }
            stage.add(new Step(drill.name(), "go on", "no problem", String.valueOf(e.getMessage())));
        }
    }

    private Stage stage() {
        var client = server.connect(terminal).with(RetryPolicy.NONE);
        var callers = new Stage.Callers(client, approver(client), server.hastyClient(terminal, HANG_UP_AFTER));
        var time = new Stage.Time(terminal.clock(), terminal.pause()::of);
        return new Stage(callers, time, words -> terminal.err().println(Report.visible(words)), hour);
    }

    private NonbisClient approver(NonbisClient client) {
        var devFile = Optional.of(DevKey.APPROVER_FILE).filter(file -> server.isDevKey(terminal));
        return server.token(terminal, new ServerOptions.KeyPlaces(approverKeyFile, "NONBIS_APPROVER_API_KEY", devFile))
                .map(token -> server.connect(terminal, token).with(RetryPolicy.NONE))
                .orElse(client);
    }

    private ExitCode print(List<Step> steps) {
        if (report.isJson()) {
            terminal.out().println(json(steps));
        } else {
            var rows = new ArrayList<List<String>>();
            rows.add(COLUMNS);
            for (var step : steps) {
                rows.add(List.of(
                        step.drill(),
                        step.what(),
                        Report.visible(step.expected()),
                        Report.visible(step.seen()),
                        step.isAsExpected() ? "ok" : "NOT OK"));
            }
            Report.rows(terminal, rows);
        }
        long wrong = steps.stream().filter(step -> !step.isAsExpected()).count();
        terminal.err()
                .println(
                        wrong == 0
                                ? steps.size() + " steps, all as expected"
                                : wrong + " of " + steps.size() + " steps not as expected");
        return wrong == 0 ? ExitCode.DONE : ExitCode.ERROR;
    }

    private static ArrayNode json(List<Step> steps) {
        var all = Inputs.EXACT.createArrayNode();
        for (var step : steps) {
            all.addObject()
                    .put("drill", step.drill())
                    .put("step", step.what())
                    .put("expected", step.expected())
                    .put("seen", step.seen())
                    .put("ok", step.isAsExpected());
        }
        return all;
    }
}
