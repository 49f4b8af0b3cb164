package dev.nonbis.bench.judge;

import dev.nonbis.bench.torture.CanonicalForm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** G5. One worker for each execution, one result for each execution, one result that ends the job, and none from behind a newer fence. */
final class OneResultPerJob implements Checker {

    private static final Set<String> SPEAKER = Set.of("worker_id", "fence");

    private record Execution(String tenant, String job, int fence) {}

    private record Job(String tenant, String id) {}

    /** A start that a worker was told of. */
    private record Started(int fence, long toldAtMicros) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        var holders = new HashMap<Execution, String>();
        var starts = new HashMap<Job, List<Started>>();
        for (var exchange : history.exchanges()) {
            if (isAcknowledged(exchange, "start")) {
                var execution = execution(exchange);
                var worker = exchange.sent().json().path("worker_id").asString("");
                var holder = holders.putIfAbsent(execution, worker);
                if (holder != null && !holder.equals(worker)) {
                    found.add(new Violation(Guarantee.G5, execution + " was given to " + holder + " and " + worker));
                }
                starts.computeIfAbsent(new Job(execution.tenant(), execution.job()), j -> new ArrayList<>())
                        .add(new Started(
                                execution.fence(),
                                exchange.reply().orElseThrow().atMicros()));
            }
        }
        workers(history, holders, found);
        results(history, starts, found);
        return found;
    }

    private static void results(History history, Map<Job, List<Started>> starts, List<Violation> found) {
        var recorded = new HashMap<Execution, String>();
        var given = new HashSet<Execution>();
        var ended = new HashMap<Job, Execution>();
        for (var exchange : history.exchanges()) {
            if (!isAcknowledged(exchange, "result")) {
                continue;
            }
            var execution = execution(exchange);
            var job = new Job(execution.tenant(), execution.job());
            var content = content(exchange.sent().json());
            var before = recorded.putIfAbsent(execution, content);
            boolean fresh = exchange.reply()
                    .orElseThrow()
                    .json()
                    .path("status")
                    .asString("")
                    .equals("recorded");
            boolean again = fresh && !given.add(execution);
            if (again || (before != null && !before.equals(content))) {
                found.add(new Violation(
                        Guarantee.G5, execution + " was recorded as " + before + " and again as " + content));
            }
            if (!exchange.sent().json().path("status").asString("").equals("retryable")) {
                var first = ended.putIfAbsent(job, execution);
                if (first != null && !first.equals(execution)) {
                    found.add(new Violation(Guarantee.G5, job + " was ended by " + first + " and by " + execution));
                }
            }
            if (fresh) {
                starts.getOrDefault(job, List.of()).stream()
                        .filter(start ->
                                start.fence() > execution.fence() && start.toldAtMicros() < exchange.sentAtMicros())
                        .findFirst()
                        .ifPresent(newer -> found.add(new Violation(
                                Guarantee.G5,
                                execution + " was recorded after execution " + newer.fence() + " had started")));
            }
        }
    }

    // Everything but who says it: another output under the same status is another result.
    private static String content(JsonNode result) {
        var said = JsonMapper.shared().createObjectNode();
        result.properties().forEach(member -> {
            if (!SPEAKER.contains(member.getKey())) {
                said.set(member.getKey(), member.getValue());
            }
        });
        return result.path("status").asString("") + " with the digest " + CanonicalForm.sha256(said);
    }

    private static void workers(History history, Map<Execution, String> holders, List<Violation> found) {
        for (var effect : history.effects()) {
            var execution = new Execution(effect.tenant(), effect.job(), effect.fence());
            var holder = holders.putIfAbsent(execution, effect.worker());
            if (holder != null && !holder.equals(effect.worker())) {
                found.add(new Violation(
                        Guarantee.G5, execution + " was worked on by " + holder + " and " + effect.worker()));
            }
        }
    }

    private static boolean isAcknowledged(Exchange exchange, String verb) {
        var path = exchange.sent().path();
        return exchange.sent().method().equals("POST")
                && path.startsWith("/api/v1/jobs/")
                && path.endsWith("/" + verb)
                && exchange.reply().filter(Exchange.Reply::isSuccess).isPresent();
    }

    private static Execution execution(Exchange exchange) {
        return new Execution(
                exchange.tenant(),
                Texts.segment(exchange.sent().path(), 3),
                exchange.sent().json().path("fence").asInt(0));
    }
}
