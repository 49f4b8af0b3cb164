package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The part of G1 that no key is for: a run has one job for each of its steps, and a dead letter is copied once, however often it is retried. */
final class EffectsOfEffects {

    private static final String RETRY_OF = "nonbis.retry_of";

    private record Step(String run, String step) {}

    private EffectsOfEffects() {}

    static List<Violation> check(History history, Export export) {
        var found = new ArrayList<Violation>();
        export.tenants().forEach((name, tenant) -> {
            steps(tenant).forEach(what -> found.add(new Violation(Guarantee.G1, name + " " + what)));
            copies(tenant).forEach(what -> found.add(new Violation(Guarantee.G1, name + " " + what)));
        });
        told(history, found);
        return found;
    }

    private static List<String> steps(OfTenant tenant) {
        var found = new ArrayList<String>();
        var jobs = new HashMap<Step, String>();
        tenant.jobs().forEach((id, job) -> {
            if (!job.has("run_id")) {
                return;
            }
            var step =
                    new Step(job.path("run_id").asString(""), job.path("step").asString(""));
            var before = jobs.putIfAbsent(step, id);
            if (before != null) {
                found.add(step + " has two jobs, " + before + " and " + id);
            }
            if (!Optional.ofNullable(tenant.runs().get(step.run()))
                    .map(run -> run.path("steps").has(step.step()))
                    .orElse(false)) {
                found.add(id + " is a job for " + step + ", which is no step of any run");
            }
        });
        return found;
    }

    private static List<String> copies(OfTenant tenant) {
        var found = new ArrayList<String>();
        var copyOf = new HashMap<String, String>();
        var originals = new HashMap<String, String>();
        for (var event : tenant.audit()) {
            if (!event.path("type").asString("").equals("dead_letter.retried")) {
                continue;
            }
            var letter = event.path("subject").asString("");
            var again = event.path("data").path("job").asString("");
            if (again.equals(letter)) {
                // The job itself goes on; a letter that it leaves later is another one.
                continue;
            }
            var before = copyOf.putIfAbsent(letter, again);
            if (before != null) {
                found.add("the dead letter of " + letter + " was copied as " + before + " and as " + again);
            }
            originals.put(again, letter);
            if (!hash(tenant.jobs().get(again)).equals(hash(tenant.jobs().get(letter)))) {
                found.add(again + " is told to be a copy of " + letter + ", and was asked for otherwise");
            }
        }
        tenant.jobs().forEach((id, job) -> {
            if (job.path("labels").has(RETRY_OF) && !originals.containsKey(id)) {
                found.add(id + " is a copy that nobody asked for: " + job.path("labels"));
            }
        });
        return found;
    }

    private static String hash(@Nullable JsonNode job) {
        return job == null ? "nothing" : job.path("request_hash").asString("");
    }

    private static void told(History history, List<Violation> found) {
        Map<String, String> copyOf = new HashMap<>();
        for (var exchange : history.exchanges()) {
            var path = exchange.sent().path();
            if (!path.startsWith("/api/v1/dlq/") || !path.endsWith("/retry")) {
                continue;
            }
            var letter = Texts.segment(path, 3);
            exchange.reply()
                    .filter(Exchange.Reply::isSuccess)
                    .map(reply -> reply.json().path("retried_as").asString(""))
                    .filter(again -> !again.equals(letter))
                    .ifPresent(again -> {
                        var before = copyOf.putIfAbsent(letter, again);
                        if (before != null && !before.equals(again)) {
                            found.add(new Violation(
                                    Guarantee.G1,
                                    "the retry of " + letter + " was told to be " + before + " and " + again));
                        }
                    });
        }
    }
}
