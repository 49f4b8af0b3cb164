package dev.nonbis.server.ui;

import dev.nonbis.core.dispatch.TopicRules;
import dev.nonbis.core.dispatch.Topics;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.Job;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import dev.nonbis.server.api.WorkersSeen;
import dev.nonbis.server.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Topics with their queues and rules, and the workers that take from them. */
public final class TopicsPage {

    private static final Pages.Page PAGE = new Pages.Page("topics.jte", "Topics and workers", "topics");
    private static final int MAX_TOPICS = 200;
    private static final int MAX_RUNNING = 500;

    private final Pages pages;
    private final Store store;
    private final Topics topics;
    private final WorkersSeen workers;

    TopicsPage(Pages pages, Store store, Topics topics, WorkersSeen workers) {
        this.pages = pages;
        this.store = store;
        this.topics = topics;
        this.workers = workers;
    }

    /** A topic: how many messages wait in its queue, who takes them, and its rules. */
    public record Topic(
            String name,
            long waiting,
            int workers,
            String dispatchTimeout,
            String runningTimeout,
            int maxAttempts,
            String lost) {}

    /** A job that somebody works on. */
    public record Held(String job, String topic, String heard) {}

    /** A worker: when it last asked, for what, and what it holds. */
    public record Worker(String name, List<String> topics, String asked, List<Held> held) {}

    /** All of it. */
    public record All(List<Topic> topics, List<Worker> workers) {}

    Response show(Visit visit) {
        var tenant = visit.tenant();
        var depths = depths(tenant);
        var seen = workers.of(tenant);
        var names = new TreeSet<>(depths.keySet());
        seen.forEach(worker -> names.addAll(worker.topics()));
        var shown = names.stream()
                .limit(MAX_TOPICS)
                .map(name -> topic(name, depths.getOrDefault(name, 0L), seen))
                .toList();
        return pages.show(visit, PAGE, new All(shown, workers(visit, seen)));
    }

    private Map<String, Long> depths(TenantId tenant) {
        String prefix = tenant + "/";
        var depths = new TreeMap<String, Long>();
        store.read(tx -> tx.scan(Range.keysStartingWith(Tables.QUEUES, prefix).limit(MAX_TOPICS)))
                .forEach(hit -> depths.put(
                        hit.key().substring(prefix.length()), hit.row().waiting()));
        return depths;
    }

    private Topic topic(String name, long waiting, List<WorkersSeen.Seen> seen) {
        TopicRules rules = topics.of(name);
        int takers = (int)
                seen.stream().filter(worker -> worker.topics().contains(name)).count();
        return new Topic(
                name,
                waiting,
                takers,
                Show.span(rules.dispatchTimeout()),
                Show.span(rules.runningTimeout()),
                rules.maxAttempts(),
                rules.lostWorker().name().toLowerCase(Locale.ROOT));
    }

    private List<Worker> workers(Visit visit, List<WorkersSeen.Seen> seen) {
        var held = new TreeMap<String, List<Held>>();
        for (var job : running(visit.tenant())) {
            job.progress()
                    .claim()
                    .ifPresent(claim -> held.computeIfAbsent(claim.worker().id(), name -> new ArrayList<>())
                            .add(new Held(
                                    job.id().value(), job.spec().topic(), Show.ago(claim.heardAt(), visit.now()))));
        }
        var all = new TreeMap<String, Worker>();
        held.forEach((name, jobs) -> all.put(name, new Worker(name, List.of(), "not lately", jobs)));
        seen.forEach(worker -> all.put(
                worker.worker(),
                new Worker(
                        worker.worker(),
                        worker.topics(),
                        Show.span(worker.ago()) + " ago",
                        held.getOrDefault(worker.worker(), List.of()))));
        return List.copyOf(all.values());
    }

    private List<Job> running(TenantId tenant) {
        return store
                .read(tx -> tx.scan(Range.entriesEqualTo(
                                Tables.JOBS, Tables.JOBS_BY_STATE, Tables.stateEntry(tenant, JobState.RUNNING))
                        .limit(MAX_RUNNING)))
                .stream()
                .map(Range.Hit::row)
                .toList();
    }
}
