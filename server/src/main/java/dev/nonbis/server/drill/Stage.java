package dev.nonbis.server.drill;

import dev.nonbis.client.Answer;
import dev.nonbis.client.Call;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.NonbisException;
import dev.nonbis.client.OutcomeUnknownException;
import dev.nonbis.client.ProblemException;
import dev.nonbis.client.UnreachableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The server as a drill meets it, and where it writes down what it saw. */
public final class Stage {

    static final JsonMapper JSON = JsonMapper.shared();

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Callers callers;
    private final Time time;
    private final Consumer<String> talk;
    private final boolean anHour;
    private final List<Step> steps = new ArrayList<>();

    /**
     * Who calls.
     *
     * @param client submits, works and operates; sends every call once, so that a step sees one answer
     * @param approver decides about what the client submitted
     * @param impatient is the client's subject, and hangs up before most answers come
     */
    public record Callers(NonbisClient client, NonbisClient approver, NonbisClient impatient) {}

    /** Time as the drill sees it pass. */
    public record Time(InstantSource clock, Pause pause) {}

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        void of(Duration wait) throws InterruptedException;
    }

    /**
     * @param talk hears what goes on
     * @param anHour whether what is promised for an hour later is waited for
     */
    public Stage(Callers callers, Time time, Consumer<String> talk, boolean anHour) {
        this.callers = callers;
        this.time = time;
        this.talk = talk;
        this.anHour = anHour;
    }

    /** All steps so far, in order. */
    public List<Step> steps() {
        return List.copyOf(steps);
    }

    NonbisClient client() {
        return callers.client();
    }

    NonbisClient approver() {
        return callers.approver();
    }

    NonbisClient impatient() {
        return callers.impatient();
    }

    InstantSource clock() {
        return time.clock();
    }

    boolean isAnHour() {
        return anHour;
    }

    void say(String words) {
        talk.accept(words);
    }

    public void add(Step step) {
        steps.add(step);
    }

    void pause(Duration wait) throws InterruptedException {
        if (wait.isPositive()) {
            time.pause().of(wait);
        }
    }

    /** Whether it came true while one could wait for it. */
    boolean await(BooleanSupplier condition) throws InterruptedException {
        var end = clock().instant().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            if (!clock().instant().isBefore(end)) {
                return false;
            }
            pause(TICK);
        }
        return true;
    }

    /** A member of the answer, or the code of the problem. */
    static String member(String name, Supplier<Answer> call) {
        return word(call, answer -> answer.body().path(name).asString("nothing"));
    }

    /** A word about the answer, or the code of the problem. */
    static String word(Supplier<Answer> call, Function<Answer, String> word) {
        try {
            return word.apply(call.get());
        } catch (ProblemException e) {
            return e.problem().code();
        } catch (OutcomeUnknownException e) {
            return "no answer";
        }
    }

    /** The same call, several times at once: how often which word came back. */
    static String atOnce(int times, Supplier<String> call) throws InterruptedException {
        var words = new ArrayList<String>();
        var threads = IntStream.range(0, times)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    String word = orFailure(call);
                    synchronized (words) {
                        words.add(word);
                    }
                }))
                .toList();
        for (var thread : threads) {
            thread.join();
        }
        synchronized (words) {
            return Tally.of(words);
        }
    }

    private static String orFailure(Supplier<String> call) {
        try {
            return call.get();
        } catch (NonbisException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Ends something that a drill began; where there is nothing to end, nothing happens. */
    void tidy(Call call) {
        try {
            client().call(call);
        } catch (ProblemException e) {
            // It has ended already.
        } catch (OutcomeUnknownException | UnreachableException e) {
            say("could not tidy up: " + call.method() + " " + call.path());
        }
    }

    static Call cancel(String path) {
        return Call.command(path + "/cancel", object().put("reason", "the drill is over"));
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }
}
