package dev.nonbis.bench.judge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** G6. Every timeline walks the table, what was once seen to have ended stays as it was, and every publish was promised by a state before it. */
final class StatesFollowTheTable implements Checker {

    private static final Set<String> FIRST = Set.of("APPROVAL", "PENDING", "DENIED");
    static final Set<String> TERMINAL = Set.of("SUCCEEDED", "FAILED", "TIMEOUT", "CANCELLED", "DENIED");

    // Written down a second time, so that the server's own table is judged and not repeated.
    private static final Map<String, Set<String>> TABLE = Map.of(
            "APPROVAL", Set.of("PENDING", "DENIED", "CANCELLED"),
            "PENDING", Set.of("SCHEDULED", "TIMEOUT", "CANCELLED"),
            "SCHEDULED", Set.of("SCHEDULED", "DISPATCHED", "UNKNOWN", "FAILED", "TIMEOUT", "CANCELLED"),
            "DISPATCHED", Set.of("SCHEDULED", "RUNNING", "UNKNOWN", "FAILED", "TIMEOUT", "CANCELLED"),
            "RUNNING", Set.of("SUCCEEDED", "FAILED", "SCHEDULED", "UNKNOWN", "CANCELLED"),
            "UNKNOWN", Set.of("SUCCEEDED", "FAILED", "SCHEDULED", "CANCELLED"));

    private static final Set<String> STATES = Set.of(
            "APPROVAL",
            "PENDING",
            "SCHEDULED",
            "DISPATCHED",
            "RUNNING",
            "UNKNOWN",
            "SUCCEEDED",
            "FAILED",
            "TIMEOUT",
            "CANCELLED",
            "DENIED");

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var found = new ArrayList<Violation>();
        export.tenants()
                .forEach((name, tenant) -> tenant.jobs()
                        .forEach((id, job) -> wrongWalk(job)
                                .ifPresent(
                                        what -> found.add(new Violation(Guarantee.G6, name + " " + id + " " + what)))));
        ends(history, export, found);
        publishes(history, export, promises, found);
        return found;
    }

    private static Optional<String> wrongWalk(JsonNode job) {
        String before = "";
        for (var entry : job.path("timeline")) {
            var type = entry.path("type").asString("");
            if (type.equals("entries_folded")) {
                return Optional.empty();
            }
            if (STATES.contains(type)) {
                var allowed = before.isEmpty() ? FIRST : TABLE.getOrDefault(before, Set.of());
                if (!allowed.contains(type)) {
                    return Optional.of("went from " + (before.isEmpty() ? "nothing" : before) + " to " + type + ": "
                            + job.path("timeline"));
                }
                before = type;
            }
        }
        return before.equals(job.path("state").asString(""))
                ? Optional.empty()
                : Optional.of("is " + job.path("state").asString("") + ", and its story ends with " + before);
    }

    private static void ends(History history, Export export, List<Violation> found) {
        record Seen(String state, long atMicros) {}
        var ended = new HashMap<String, Seen>();
        for (var exchange : history.exchanges()) {
            var reply = exchange.reply().filter(Exchange.Reply::isSuccess);
            if (reply.isEmpty() || !exchange.sent().method().equals("GET")) {
                continue;
            }
            var json = reply.get().json();
            var id = json.path("job_id").asString("");
            var state = json.path("state").asString("");
            if (id.isEmpty() || state.isEmpty()) {
                continue;
            }
            var before = ended.get(id);
            if (before != null
                    && before.atMicros() <= exchange.sentAtMicros()
                    && !before.state().equals(state)) {
                found.add(new Violation(Guarantee.G6, id + " was " + before.state() + " and then " + state));
            }
            if (TERMINAL.contains(state)) {
                ended.putIfAbsent(id, new Seen(state, reply.get().atMicros()));
            }
        }
        export.tenants()
                .values()
                .forEach(tenant -> tenant.jobs().forEach((id, job) -> {
                    var before = ended.get(id);
                    if (before != null
                            && !before.state().equals(job.path("state").asString(""))) {
                        found.add(new Violation(
                                Guarantee.G6, id + " was " + before.state() + " and is " + job.path("state")));
                    }
                }));
    }

    private static void publishes(History history, Export export, Promises promises, List<Violation> found) {
        var promised = new HashMap<String, Map<String, Instant>>();
        for (var publish : history.publishes()) {
            var tenant = export.tenants().get(publish.tenant());
            if (tenant == null) {
                continue;
            }
            var job = tenant.jobs().get(publish.job());
            var names = promised.computeIfAbsent(publish.job(), id -> job == null ? Map.of() : dispatched(job));
            if (names.containsKey("*")) {
                continue;
            }
            var since = names.get(publish.messageId());
            // Timelines have the times of servers' clocks, which were no further off than this.
            var latest = history.began()
                    .map(began -> began.plusNanos(publish.atMicros() * 1000).plus(promises.clockError()))
                    .orElse(Instant.MAX);
            if (since == null || since.isAfter(latest)) {
                found.add(new Violation(
                        Guarantee.G6,
                        publish.messageId() + " was published until " + latest + ", and "
                                + (since == null ? "no state" : "only the state of " + since) + " of " + publish.job()
                                + " promised it"));
                promised.put(publish.job(), Map.of("*", Instant.MIN));
            }
        }
    }

    /** The names that a job's states promised, each with the first time; a star when some were forgotten. */
    private static Map<String, Instant> dispatched(JsonNode job) {
        var names = new HashMap<String, Instant>();
        for (var entry : job.path("timeline")) {
            if (entry.path("type").asString("").equals("entries_folded")) {
                names.put("*", Instant.MIN);
            }
            if (entry.path("data").has("message_id")) {
                names.merge(
                        entry.path("data").path("message_id").asString(""),
                        Instant.parse(entry.path("at").asString("")),
                        (one, other) -> one.isBefore(other) ? one : other);
            }
        }
        return names;
    }
}
