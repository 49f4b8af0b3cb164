package dev.nonbis.bench.cluster;

import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.History;
import dev.nonbis.bench.judge.Judge;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.judge.Violation;
import java.util.List;

/** The judge's history, written by many threads. */
final class Log {

    private final History history = new History();

    synchronized History.Open sent(Exchange.Caller caller, Exchange.Sent sent) {
        return history.sent(caller, sent, micros());
    }

    synchronized void answered(History.Open open, Answered answered) {
        open.answered(new Exchange.Reply(answered.status, answered.replayed, answered.body, micros()));
    }

    /** What came back. */
    record Answered(int status, boolean replayed, String body) {}

    synchronized void leftUnanswered(String what) {
        history.leftUnanswered(what);
    }

    synchronized void brokeDown(String what) {
        history.brokeDown(what);
    }

    synchronized int requests() {
        return history.exchanges().size();
    }

    /** How many answers began so. */
    synchronized long answers(String path, int status) {
        return history.exchanges().stream()
                .filter(exchange -> exchange.sent().path().startsWith(path))
                .filter(exchange -> exchange.reply()
                        .filter(reply -> reply.status() == status)
                        .isPresent())
                .count();
    }

    synchronized long unanswered() {
        return history.exchanges().stream()
                .filter(exchange -> exchange.reply().isEmpty())
                .count();
    }

    synchronized List<Violation> judge(Export export, Promises promises) {
        return Judge.judge(history, export, promises);
    }

    private static long micros() {
        return System.nanoTime() / 1000;
    }
}
