package dev.nonbis.bench.judge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was seen from outside while it happened, in order. */
public final class History {

    private final Optional<Instant> began;
    private final List<Exchange> exchanges = new ArrayList<>();
    private final List<Publish> publishes = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private final List<String> breakdowns = new ArrayList<>();
    private final List<String> unanswered = new ArrayList<>();

    /** A history whose beginning nobody can tell by a true clock. */
    public History() {
        this.began = Optional.empty();
    }

    /** A history that began at this time. */
    public History(Instant began) {
        this.began = Optional.of(began);
    }

    /**
     * One publish as the broker saw it.
     *
     * @param accepted whether the broker took it; otherwise it knew the name already
     */
    public record Publish(String tenant, String messageId, String job, boolean accepted, long atMicros) {}

    /** Work that a worker did on the world. */
    public record Effect(String tenant, String job, int fence, String worker, String targetKey, long atMicros) {}

    /** A place for an exchange whose answer is still to come. */
    public final class Open {

        private final int index;

        private Open(int index) {
            this.index = index;
        }

        public void answered(Exchange.Reply reply) {
            var sent = exchanges.get(index);
            exchanges.set(index, new Exchange(sent.caller(), sent.sent(), sent.sentAtMicros(), Optional.of(reply)));
        }
    }

    public Open sent(Exchange.Caller caller, Exchange.Sent sent, long atMicros) {
        exchanges.add(new Exchange(caller, sent, atMicros, Optional.empty()));
        return new Open(exchanges.size() - 1);
    }

    public void published(Publish publish) {
        publishes.add(publish);
    }

    /** The broker lost its memory: from here on it may take any name anew. */
    public void brokerForgot() {
        publishes.add(new Publish("", "", "", false, -1));
    }

    public void effect(Effect effect) {
        effects.add(effect);
    }

    /** A server said of itself that it is wrong. */
    public void brokeDown(String what) {
        breakdowns.add(what);
    }

    /** A client that kept to the rules for retrying was left without a final answer. */
    public void leftUnanswered(String what) {
        unanswered.add(what);
    }

    /** When it began by a true clock, if anybody knows. */
    public Optional<Instant> began() {
        return began;
    }

    public List<Exchange> exchanges() {
        return exchanges;
    }

    public List<Publish> publishes() {
        return publishes;
    }

    public List<Effect> effects() {
        return effects;
    }

    public List<String> breakdowns() {
        return breakdowns;
    }

    public List<String> unanswered() {
        return unanswered;
    }
}
