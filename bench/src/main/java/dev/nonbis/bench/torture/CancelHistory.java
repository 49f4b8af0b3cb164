package dev.nonbis.bench.torture;

import dev.nonbis.bench.http.Answer;
import dev.nonbis.bench.torture.Violation.Rule;
import java.util.Optional;

/** Everything that was sent and heard about cancelling one job or run. */
final class CancelHistory {

    private final String tenant;
    private final Operation operation;
    private final String id;
    private final long firstSentNanos;
    private boolean acknowledged;

    CancelHistory(String tenant, Created created, long firstSentNanos) {
        this.tenant = tenant;
        this.operation = created.operation();
        this.id = created.id();
        this.firstSentNanos = firstSentNanos;
    }

    /** What an acceptance created. */
    record Created(Operation operation, String id) {}

    String tenant() {
        return tenant;
    }

    String id() {
        return id;
    }

    long firstSentNanos() {
        return firstSentNanos;
    }

    String path() {
        return operation.objectsPath() + "/" + id + "/cancel";
    }

    synchronized boolean acknowledged() {
        return acknowledged;
    }

    /** Judges an answer to a cancel that was sent when {@code afterAcknowledged} was known. */
    synchronized Optional<Violation> answered(boolean afterAcknowledged, Answer answer) {
        if (answer.status() == 503) {
            return Optional.empty();
        }
        var status = Json.member(answer.body(), "status");
        if (answer.status() != 200 || !(status.equals("cancelled") || status.equals("already_cancelled"))) {
            return Optional.of(new Violation(Rule.NO_STUCK_KEY, tenant + ": cancelling " + id + " got " + answer));
        }
        acknowledged = true;
        return afterAcknowledged && status.equals("cancelled")
                ? Optional.of(new Violation(
                        Rule.ACKNOWLEDGED_IS_KEPT, tenant + ": " + id + " was cancelled before and got " + answer))
                : Optional.empty();
    }
}
