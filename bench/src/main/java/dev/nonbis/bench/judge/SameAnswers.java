package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Exchange.Reply;
import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** G3. One key and body has one answer, byte for byte; one of those who ask gets it fresh, all others as a replay. */
final class SameAnswers implements Checker {

    private record Name(String tenant, String operation, String key, String path, String bodyHash) {}

    private static final class Given {
        final Reply first;
        final long sentAtMicros;
        int fresh;

        Given(Reply first, long sentAtMicros) {
            this.first = first;
            this.sentAtMicros = sentAtMicros;
        }
    }

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var given = new HashMap<Name, Given>();
        var found = new ArrayList<Violation>();
        for (var exchange : history.exchanges()) {
            var operation = exchange.operation();
            var reply = exchange.reply().filter(SameAnswers::isRecorded);
            if (operation.isEmpty() || reply.isEmpty() || exchange.sent().key().isEmpty()) {
                continue;
            }
            var name = new Name(
                    exchange.tenant(),
                    operation.get(),
                    exchange.sent().key().get(),
                    exchange.sent().path(),
                    CanonicalForm.sha256(exchange.sent().json()));
            var before = given.computeIfAbsent(name, n -> new Given(reply.get(), exchange.sentAtMicros()));
            if (!isSame(before.first, reply.get()) && mayHaveExpired(before, exchange, promises, operation.get())) {
                before = new Given(reply.get(), exchange.sentAtMicros());
                given.put(name, before);
            }
            before.fresh += reply.get().replayed() ? 0 : 1;
            wrong(before, reply.get()).ifPresent(what -> found.add(new Violation(Guarantee.G3, name + ": " + what)));
        }
        return found;
    }

    private static Optional<String> wrong(Given before, Reply reply) {
        if (!isSame(before.first, reply)) {
            return Optional.of("first " + before.first.status() + " " + before.first.body() + ", then " + reply.status()
                    + " " + reply.body());
        }
        return before.fresh > 1
                ? Optional.of("answered as new " + before.fresh + " times: " + reply.body())
                : Optional.empty();
    }

    private static boolean isSame(Reply one, Reply other) {
        return one.status() == other.status() && one.body().equals(other.body());
    }

    // The exchanges are in the order in which they were sent, so the difference is never negative.
    private static boolean mayHaveExpired(Given before, Exchange now, Promises promises, String operation) {
        return promises.surelyLiveMicros(operation)
                .filter(live -> now.reply().orElseThrow().atMicros() - before.sentAtMicros >= live)
                .isPresent();
    }

    /** Whether the answer is an outcome, which a key keeps, and not a refusal, which it does not. */
    static boolean isRecorded(Reply reply) {
        return reply.isSuccess() || reply.code().equals("policy_denied");
    }
}
