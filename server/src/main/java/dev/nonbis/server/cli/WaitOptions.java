package dev.nonbis.server.cli;

import dev.nonbis.client.Answer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Whether a command waits for the end, telling on stderr what it sees. */
final class WaitOptions {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration TOLD_EVERY = Duration.ofSeconds(15);
    private static final Set<String> DONE_STEPS = Set.of("SUCCEEDED", "SKIPPED");

    @Option(names = "--wait", description = "Wait until it has ended.")
    private boolean wait;

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Wait at most this long, as in 30s or 5m.")
    private Optional<Duration> timeout = Optional.empty();

    boolean isWait() {
        return wait;
    }

    /**
     * What is waited for.
     *
     * @param state where it is, in a few words
     * @param isPending whether something will still happen by itself
     * @param command what asks again
     */
    record Subject(Function<Answer, String> state, Predicate<Answer> isPending, String command) {

        static final Subject JOB_OR_RUN = new Subject(
                WaitOptions::progress,
                answer -> ExitCode.ofState(WaitOptions.state(answer)) == ExitCode.PENDING,
                "status --wait");
    }

    /** The state, and with it how many steps of a run are done or which worker has a job. */
    private static String progress(Answer answer) {
        var body = answer.body();
        var steps = body.path("steps");
        if (!steps.isEmpty()) {
            long done = steps.values().stream()
                    .filter(step -> DONE_STEPS.contains(step.asString("")))
                    .count();
            return state(answer) + ", " + done + " of " + steps.size() + " steps done";
        }
        var worker = body.path("worker_id");
        return state(answer) + (worker.isString() ? ", with " + worker.asString() : "");
    }

    /** Reads once, or until the state says that nothing more will happen by itself or the time is over. */
    Answer follow(Terminal terminal, Supplier<Answer> read) {
        return follow(terminal, Subject.JOB_OR_RUN, read);
    }

    Answer follow(Terminal terminal, Subject subject, Supplier<Answer> read) {
        var started = terminal.clock().instant();
        var pause = FIRST_PAUSE;
        var told = "";
        var toldAt = Duration.ZERO;
        while (true) {
            var answer = read.get();
            var state = subject.state().apply(answer);
            if (!wait || !subject.isPending().test(answer)) {
                return answer;
            }
            var elapsed = Duration.between(started, terminal.clock().instant());
            if (!state.equals(told)) {
                terminal.err().println("waiting: " + Report.visible(state));
                told = state;
                toldAt = elapsed;
            } else if (elapsed.minus(toldAt).compareTo(TOLD_EVERY) >= 0) {
                terminal.err().println("waiting: " + Report.visible(state) + ", for " + elapsed.toSeconds() + " s now");
                toldAt = elapsed;
            }
            if (timeout.isPresent() && elapsed.plus(pause).compareTo(timeout.get()) > 0) {
                terminal.err().println("still " + Report.visible(state) + "; ask again with " + subject.command());
                return answer;
            }
            pause(terminal, subject, pause);
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    static String state(Answer answer) {
        return answer.body().path("state").asString("");
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static void pause(Terminal terminal, Subject subject, Duration length) {
        try {
            terminal.pause().of(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed(
                    ExitCode.PENDING, "interrupted while waiting", "ask again with " + subject.command());
        }
    }
}
