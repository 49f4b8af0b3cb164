package dev.nonbis.bench.torture;

import dev.nonbis.bench.torture.DispatchHistory.End;
import dev.nonbis.bench.torture.DispatchHistory.Execution;
import dev.nonbis.bench.torture.DispatchHistory.Plan;
import dev.nonbis.bench.torture.Violation.Rule;
import dev.nonbis.client.NonbisClient;
import dev.nonbis.client.Query;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What comes after the faults: rest, a human's decisions, and everything that the server has to tell. */
final class DispatchEnd {

    private static final List<String> MOVING = List.of("PENDING", "SCHEDULED", "DISPATCHED", "RUNNING");
    private static final Set<String> ENDS =
            Set.of("job.succeeded", "job.failed", "job.timeout", "job.cancelled", "job.denied");
    private static final long LOOK_MS = 500;
    private static final int STUCK_AFTER_LOOKS = 240;

    private final NonbisClient client;
    private final InetSocketAddress address;
    private final Violations violations;
    private final Consumer<String> progress;

    DispatchEnd(NonbisClient client, InetSocketAddress address, Violations violations, Consumer<String> progress) {
        this.client = client;
        this.address = address;
        this.violations = violations;
        this.progress = progress;
    }

    /** Waits until no job can move by itself any more; jobs that stop moving before that are a finding. */
    void awaitRest() throws InterruptedException {
        long seen = -1;
        int looksWithoutChange = 0;
        while (isMoving()) {
            long now = client.auditHead().body().path("seq").asLong();
            looksWithoutChange = now == seen ? looksWithoutChange + 1 : 0;
            if (looksWithoutChange == STUCK_AFTER_LOOKS) {
                violations.add(new Violation(Rule.EVERY_JOB_ENDS, "jobs do not move any more"));
                return;
            }
            seen = now;
            Thread.sleep(LOOK_MS);
        }
    }

    private boolean isMoving() {
        return MOVING.stream()
                .anyMatch(
                        state -> !client.listJobs(Query.ALL.and("state", state).and("limit", "1"))
                                .answer()
                                .body()
                                .path("items")
                                .isEmpty());
    }

    /** Decides as a careful human would: what had its effect has succeeded, and what had none is tried again. Returns how many waited. */
    int decide(Ledger ledger) throws InterruptedException {
        int decided = 0;
        while (true) {
            var done = ledger.calls().stream().map(Ledger.Effect::job).collect(Collectors.toSet());
            var held = jobs(Query.ALL.and("state", "UNKNOWN")).keySet();
            if (held.isEmpty()) {
                return decided;
            }
            progress.accept(held.size() + " jobs wait for a human");
            for (var job : held) {
                client.resolveJob(job, done.contains(job) ? "succeeded" : "retry", "looked at the ledger");
                decided++;
            }
            awaitRest();
        }
    }

    DispatchHistory history(Map<String, Plan> submitted, Ledger ledger) throws IOException {
        var ends = new ArrayList<End>();
        var history = new History();
        try (var reader = Client.open(address, history)) {
            new Inspector(reader, history).follow(new AuditChain(DispatchCampaign.TENANT), event -> {
                if (ENDS.contains(event.path("type").asString(""))) {
                    ends.add(end(event));
                }
            });
        }
        violations.addAll(history.violations.first());
        return new DispatchHistory(Map.copyOf(submitted), jobs(Query.ALL), ends, ledger.calls(), ledger.reports());
    }

    private static End end(JsonNode event) {
        var data = event.path("data");
        return new End(
                event.path("subject").asString(""),
                event.path("type").asString(""),
                data.has("worker")
                        ? Optional.of(new Execution(
                                data.path("fence").asInt(), data.path("worker").asString()))
                        : Optional.empty());
    }

    private Map<String, String> jobs(Query query) {
        var states = new HashMap<String, String>();
        var from = query.and("limit", "1000");
        var page = client.listJobs(from).answer().body();
        while (true) {
            for (var item : page.path("items")) {
                states.put(item.path("job_id").asString(), item.path("state").asString());
            }
            if (page.path("next").isNull()) {
                return states;
            }
            page = client.listJobs(from.and("after", page.path("next").asString()))
                    .answer()
                    .body();
        }
    }
}
