package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Holds one tenant's log against what the API tells of its things. The list of types is closed: an event of any other type is wrong. */
final class EventsAndEffects {

    private static final Set<String> JOB_ENDS = Set.of("job.succeeded", "job.failed", "job.timeout", "job.cancelled");

    private final OfTenant tenant;
    private final List<String> wrong = new ArrayList<>();
    private final Map<String, Integer> made = new HashMap<>();
    private final Map<String, Integer> ended = new HashMap<>();
    private final Map<String, Integer> decided = new HashMap<>();
    private final Map<String, Integer> lost = new HashMap<>();
    private final Map<String, Integer> requeued = new HashMap<>();
    private final Map<String, Integer> lettersRetried = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();
    private final Map<String, Integer> asked = new HashMap<>();

    EventsAndEffects(OfTenant tenant) {
        this.tenant = tenant;
    }

    List<String> wrong(Asked wanted) {
        tenant.audit().forEach(this::bind);
        tenant.jobs().forEach(this::job);
        tenant.runs().forEach((id, run) -> {
            exactly(1, id, "begins", made);
            exactly(run.has("ended_at") ? 1 : 0, id, "ends", ended);
        });
        tenant.payments().keySet().forEach(id -> exactly(1, id, "is decided", made));
        tenant.approvals()
                .forEach((id, approval) -> exactly(approval.has("decision") ? 1 : 0, id, "is decided on", decided));
        asked.forEach((name, times) -> {
            if (times > wanted.most(name)) {
                wrong.add(times + " events of " + name + ", which was asked for " + wanted.most(name) + " times");
            }
        });
        wanted.discarded().forEach((name, times) -> {
            if (asked.getOrDefault(name, 0) < times) {
                wrong.add(name + " was acknowledged " + times + " times, with " + asked.getOrDefault(name, 0)
                        + " events");
            }
        });
        return wrong;
    }

    private void bind(JsonNode event) {
        var type = event.path("type").asString("");
        var subject = event.path("subject").asString("");
        switch (type) {
            case "job.submitted" -> made(event, tenant.jobs().get(subject), "submitted_by");
            case "run.started" -> made(event, tenant.runs().get(subject), "started_by");
            case "payment.decided" -> made(event, tenant.payments().get(subject), "submitted_by");
            case "run.ended" ->
                ended(
                        event,
                        tenant.runs().get(subject),
                        event.path("data").path("state").asString(""));
            case "run.cancelled" -> ended(event, tenant.runs().get(subject), "CANCELLED");
            case "approval.approved", "approval.rejected", "approval.expired" -> decided(event, subject, type);
            case "job.unknown" -> about(event, tenant.jobs().get(subject), lost);
            case "job.requeued" -> {
                about(event, tenant.jobs().get(subject), requeued);
                if (event.path("data").path("why").asString("").equals("dead_letter_retry")) {
                    lettersRetried.merge(subject, 1, Integer::sum);
                }
            }
            case "dead_letter.retried" -> {
                // A letter of a job that failed is copied, which is for the first guarantee to judge.
                if (event.path("data").path("job").asString("").equals(subject)) {
                    lettersRetried.merge(subject, -1, Integer::sum);
                }
                exists(event, tenant.jobs().get(subject));
            }
            case "workflow.put" -> {
                int version = versions.merge(subject, 1, Integer::sum);
                if (event.path("data").path("version").asInt(-1) != version) {
                    wrong.add("this is change " + version + " of the workflow: " + event);
                }
            }
            case String end
            when JOB_ENDS.contains(end) ->
                ended(
                        event,
                        tenant.jobs().get(subject),
                        end.substring("job.".length()).toUpperCase(Locale.ROOT));
            case String other when Asked.knows(other) -> asked.merge(Asked.name(other, subject), 1, Integer::sum);
            default -> wrong.add("no effect has an event of this type: " + event);
        }
    }

    private void made(JsonNode event, @Nullable JsonNode thing, String by) {
        about(event, thing, made);
        if (thing != null
                && !(event.path("actor").equals(thing.path(by))
                        && event.path("request_hash").equals(thing.path("request_hash")))) {
            wrong.add("it was made otherwise, " + thing + ": " + event);
        }
    }

    private void ended(JsonNode event, @Nullable JsonNode thing, String state) {
        about(event, thing, ended);
        if (thing != null && !thing.path("state").asString("").equals(state)) {
            wrong.add("it is " + thing.path("state") + ": " + event);
        }
    }

    private void decided(JsonNode event, String subject, String type) {
        about(event, tenant.approvals().get(subject), decided);
        if (tenant.jobs().containsKey(subject) && !type.equals("approval.approved")) {
            ended(event, tenant.jobs().get(subject), "DENIED");
        }
    }

    private void about(JsonNode event, @Nullable JsonNode thing, Map<String, Integer> counts) {
        exists(event, thing);
        counts.merge(event.path("subject").asString(""), 1, Integer::sum);
    }

    private void exists(JsonNode event, @Nullable JsonNode thing) {
        if (thing == null) {
            wrong.add("there is nothing that this event could be about: " + event);
        }
    }

    private void job(String id, JsonNode job) {
        exactly(1, id, "begins", made);
        var state = job.path("state").asString("");
        boolean atOnce = state.equals("DENIED") && !tenant.approvals().containsKey(id);
        exactly(StatesFollowTheTable.TERMINAL.contains(state) && !atOnce ? 1 : 0, id, "ends", ended);
        exactly(0, id, "is taken up after a letter, but for the retries of letters,", lettersRetried);
        int losses = 0;
        int retries = 0;
        for (var entry : job.path("timeline")) {
            var data = entry.path("data");
            if (entry.path("type").asString("").equals("entries_folded")) {
                return;
            }
            losses += entry.path("type").asString("").equals("UNKNOWN") ? 1 : 0;
            retries += data.path("resolution").asString("").equals("retry")
                            || data.path("why").asString("").equals("dead_letter_retry")
                    ? 1
                    : 0;
        }
        exactly(losses, id, "is lost", lost);
        exactly(retries, id, "is taken up again", requeued);
    }

    private void exactly(int times, String id, String what, Map<String, Integer> counts) {
        int told = Optional.ofNullable(counts.get(id)).orElse(0);
        if (told != times) {
            wrong.add(told + " events tell that " + id + " " + what + ", not " + times);
        }
    }
}
