package dev.nonbis.bench.cluster;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.judge.Exchange;
import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.History;
import dev.nonbis.bench.judge.Judge;
import dev.nonbis.bench.judge.Promises;
import dev.nonbis.bench.judge.Violation;
import java.time.Duration;
import java.util.List;

/** The judge's history, written by many threads. */
final class Log {

    private final History history = new History();

    synchronized History.Open sent(Exchange.Caller caller, Exchange.Sent sent) {
        return history.sent(caller, sent, micros());
    }

    synchronized void answered(History.Open open, Answer answer) {
        open.answered(new Exchange.Reply(answer.status(), answer.replayed(), answer.text(), micros()));
        if (answer.isMistake()) {
            brokeDown("somebody got " + answer);
        }
    }

    /** One execution that a worker did, at a target that knows it by this key. */
    record Work(String job, int fence, String worker, String targetKey) {}

    synchronized void worked(String tenant, Work work) {
        history.effect(new History.Effect(tenant, work.job, work.fence, work.worker, work.targetKey, micros()));
    }

    synchronized void published(List<History.Publish> publishes) {
        publishes.forEach(history::published);
    }

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

    /** How many answers took longer than that. */
    synchronized long answersAfter(Duration wait) {
        long micros = wait.toNanos() / 1000;
        return history.exchanges().stream()
                .filter(exchange -> exchange.reply()
                        .filter(reply -> reply.atMicros() - exchange.sentAtMicros() > micros)
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

    static long micros() {
        return System.nanoTime() / 1000;
    }
}
