package dev.nonbis.bench.faults;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.http.Call;
import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.judge.History;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Writes down from many threads what was sent and heard, and how far the server's disk had come when it was heard. */
public final class Recorder {

    private static final long UNHEARD = Long.MAX_VALUE;

    private final LongSupplier position;
    private final History history = new History();
    private final List<Long> heardAt = new ArrayList<>();
    private final long beganNanos = System.nanoTime();

    /**
     * A new record.
     *
     * @param position where the server's disk is in its log
     */
    public Recorder(LongSupplier position) {
        this.position = position;
    }

    /** A request that is under way. */
    final class Open {

        private final History.Open open;
        private final int index;
        private final String what;

        private Open(History.Open open, int index, String what) {
            this.open = open;
            this.index = index;
            this.what = what;
        }

        void heard(Answer answer) {
            // Before the lock: whatever the server did for this answer is on the disk's log by now.
            long at = position.getAsLong();
            synchronized (Recorder.this) {
                open.answered(new Exchange.Reply(answer.status(), answer.replayed(), answer.text(), nowMicros()));
                if (answer.isMistake()) {
                    brokeDown(what + " got " + answer);
                }
                heardAt.set(index, at);
            }
        }
    }

    synchronized Open sent(String tenant, Call call) {
        var path = call.target().path().split("\\?", 2)[0];
        var sent = new Exchange.Sent(
                call.target().method(), path, call.key(), new String(call.body(), StandardCharsets.UTF_8));
        var open = history.sent(new Exchange.Caller(tenant, "bench-" + tenant), sent, nowMicros());
        heardAt.add(UNHEARD);
        return new Open(open, heardAt.size() - 1, tenant + " " + sent.method() + " " + path);
    }

    /** A worker did the work, at a target that knows it by this key. */
    public synchronized void worked(String tenant, Work work) {
        history.effect(new History.Effect(tenant, work.job, work.fence, work.worker, work.targetKey, nowMicros()));
    }

    /** One execution in a worker's hands. */
    public record Work(String worker, String job, int fence, String targetKey) {}

    public synchronized void leftUnanswered(String what) {
        history.leftUnanswered(what);
    }

    public synchronized void brokeDown(String what) {
        history.brokeDown(what);
    }

    public synchronized int requests() {
        return history.exchanges().size();
    }

    /** How many requests were told that they took effect. */
    synchronized long acknowledged() {
        return history.exchanges().stream()
                .filter(exchange -> exchange.operation().isPresent())
                .filter(exchange ->
                        exchange.reply().filter(Exchange.Reply::isSuccess).isPresent())
                .count();
    }

    /** How many of these waited for longer than that. */
    synchronized long acknowledgedLaterThan(Duration wait) {
        long micros = wait.toNanos() / 1000;
        return history.exchanges().stream()
                .filter(exchange -> exchange.operation().isPresent())
                .filter(exchange -> exchange.reply()
                        .filter(Exchange.Reply::isSuccess)
                        .filter(reply -> reply.atMicros() - exchange.sentAtMicros() > micros)
                        .isPresent())
                .count();
    }

    /** How often an answer had this code. */
    synchronized long answers(String code) {
        return history.exchanges().stream()
                .filter(exchange -> exchange.reply()
                        .filter(reply -> reply.code().equals(code))
                        .isPresent())
                .count();
    }

    /** The whole of it, once nobody writes any more. */
    public History history() {
        return history;
    }

    /** Where the disk was when the last answer came that said that something took effect. */
    long lastHeardAt() {
        return heardAtOrBefore(Long.MAX_VALUE - 1);
    }

    /** Where the disk was when the last such answer before this position came; the position itself when there was none. */
    synchronized long heardAtOrBefore(long end) {
        long last = -1;
        for (int i = 0; i < heardAt.size(); i++) {
            var exchange = history.exchanges().get(i);
            if (exchange.operation().isPresent()
                    && exchange.reply().filter(Exchange.Reply::isSuccess).isPresent()
                    && heardAt.get(i) <= end) {
                last = Math.max(last, heardAt.get(i));
            }
        }
        return last < 0 ? end : last;
    }

    /** What clients knew when the disk was at this position: answers that came later were never heard. */
    synchronized Recorder until(long end) {
        var earlier = new Recorder(() -> 0);
        for (int i = 0; i < heardAt.size(); i++) {
            var exchange = history.exchanges().get(i);
            var open = earlier.history.sent(exchange.caller(), exchange.sent(), exchange.sentAtMicros());
            if (heardAt.get(i) <= end) {
                exchange.reply().ifPresent(open::answered);
            }
            earlier.heardAt.add(heardAt.get(i));
        }
        return earlier;
    }

    private long nowMicros() {
        return (System.nanoTime() - beganNanos) / 1000;
    }
}
