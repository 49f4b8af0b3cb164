package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.History.Publish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * G12. At the end nothing stands still, nobody waits for an answer, no server found itself in the wrong, and no broker swallowed a message
 * whose name it should have forgotten.
 */
final class EverythingMoves implements Checker {

    private static final Set<String> ACTIVE_RUN = Set.of("RUNNING", "WAITING");

    private record Name(String tenant, String messageId) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        history.breakdowns().forEach(what -> found.add(new Violation(Guarantee.G12, "a server is wrong: " + what)));
        history.unanswered().forEach(what -> found.add(new Violation(Guarantee.G12, "no final answer for " + what)));
        export.tenants().forEach((name, tenant) -> {
            tenant.jobs().forEach((id, job) -> {
                if (!StatesFollowTheTable.TERMINAL.contains(job.path("state").asString(""))) {
                    found.add(new Violation(Guarantee.G12, name + " " + id + " stands still: " + job));
                }
            });
            tenant.runs().forEach((id, run) -> {
                if (ACTIVE_RUN.contains(run.path("state").asString(""))) {
                    found.add(new Violation(Guarantee.G12, name + " " + id + " stands still: " + run));
                }
            });
            tenant.payments().forEach((id, payment) -> {
                if (payment.path("status").asString("").equals("requires_human")) {
                    found.add(new Violation(Guarantee.G12, name + " " + id + " stands still: " + payment));
                }
            });
            tenant.approvals().forEach((id, approval) -> {
                if (approval.path("status").asString("").equals("waiting")) {
                    found.add(new Violation(Guarantee.G12, name + " " + id + " still waits: " + approval));
                }
            });
        });
        window(history, promises, found);
        return found;
    }

    // A broker keeps its own time, which never jumps.
    private static void window(History history, Promises promises, List<Violation> found) {
        long windowMicros = promises.brokerWindow().toNanos() / 1000;
        var accepted = new HashMap<Name, Publish>();
        for (var publish : history.publishes()) {
            if (publish.atMicros() < 0) {
                accepted.clear();
                continue;
            }
            var name = new Name(publish.tenant(), publish.messageId());
            var first = Optional.ofNullable(accepted.get(name));
            boolean inWindow = first.filter(f -> publish.atMicros() - f.atMicros() < windowMicros)
                    .isPresent();
            if (publish.accepted() == inWindow) {
                found.add(new Violation(
                        Guarantee.G12,
                        publish + (inWindow ? " is a repetition of " : " is behind the window of ") + first));
            }
            if (publish.accepted()) {
                accepted.put(name, publish);
            }
        }
    }
}
