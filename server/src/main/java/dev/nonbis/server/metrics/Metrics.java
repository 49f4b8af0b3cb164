package dev.nonbis.server.metrics;

import dev.nonbis.core.approval.ApprovalRules;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.job.JobState;
import dev.nonbis.core.operation.DispatchListener;
import dev.nonbis.core.operation.MeasureBacklog.Backlog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Every metric. Those with known labels exist from the start, so that a rate over them never begins with a gap. */
public final class Metrics {

    /** How a request under a key ended. */
    public enum KeyOutcome {
        FRESH,
        REPLAYED,
        MISMATCHED,
        /** Refused before it took effect; the key stayed free. */
        RELEASED
    }

    /** How a call to approve or reject ended. */
    public enum DecisionOutcome {
        DECIDED,
        REPLAYED,
        CONFLICT
    }

    /** Why a key that a run start had claimed was let go. */
    public enum ReleaseContext {
        CONCURRENCY_LIMIT,
        COUNT_FAILURE,
        CREATE_FAILURE
    }

    /** What became of a span. */
    public enum SpanOutcome {
        EXPORTED,
        DROPPED
    }

    /** What stopped a duplicate. */
    public enum Layer {
        IDEMPOTENCY_KEY,
        NONCE,
        APPROVAL_DECISION,
        JOB_STATE,
        BROKER_WINDOW,
        WORKER_FENCE,
        RESULT_RECORD;

        private final String word = Metrics.word(this);

        public String word() {
            return word;
        }
    }

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Operation, Map<KeyOutcome, Counter>> keys = new EnumMap<>(Operation.class);
    private final Map<Layer, Counter> blocked;
    private final Map<ApprovalRules.Call, Map<DecisionOutcome, Counter>> decisions =
            new EnumMap<>(ApprovalRules.Call.class);
    private final Map<ReleaseContext, Counter> releases;
    private final Map<ReleaseContext, Counter> releaseFailures;
    private final Counter damaged;
    private final Timer commits;
    private final DistributionSummary batches;
    private final Map<String, Timer> routes = new ConcurrentHashMap<>();
    private final Map<JobState, AtomicLong> jobs = new EnumMap<>(JobState.class);
    private final ByTopic topics;
    private final Counter unasked;
    private volatile Backlog backlog = new Backlog(Duration.ZERO, Duration.ZERO, 0);
    private final Map<SpanOutcome, Counter> spans;
    private final Recent recent = new Recent(System::nanoTime);

    public Metrics() {
        for (var operation : Operation.values()) {
            keys.put(
                    operation,
                    counters(
                            KeyOutcome.class,
                            outcome -> Counter.builder("nonbis_idempotency_requests")
                                    .description("Requests that carried an idempotency key")
                                    .tag("operation", operation.word())
                                    .tag("outcome", word(outcome))
                                    .register(registry)));
        }
        unasked = Counter.builder("nonbis_bus_unasked_messages")
                .description("Messages of the bus that no job of the store asked for")
                .register(registry);
        blocked = counters(
                Layer.class,
                layer -> Counter.builder("nonbis_duplicates_blocked")
                        .description("Duplicates that took no effect, by what stopped them")
                        .tag("layer", word(layer))
                        .register(registry));
        for (var call : ApprovalRules.Call.values()) {
            decisions.put(
                    call,
                    counters(
                            DecisionOutcome.class,
                            outcome -> Counter.builder("nonbis_approval_requests")
                                    .description("Calls to approve or reject")
                                    .tag("endpoint", word(call))
                                    .tag("outcome", word(outcome))
                                    .register(registry)));
        }
        releases = counters(
                ReleaseContext.class,
                context -> Counter.builder("nonbis_admission_releases")
                        .description("Keys of run starts that stayed free because the run was not admitted")
                        .tag("context", word(context))
                        .register(registry));
        releaseFailures = counters(
                ReleaseContext.class,
                context -> Counter.builder("nonbis_admission_release_failures")
                        .description("Run starts after which nobody knows whether the key is free")
                        .tag("context", word(context))
                        .register(registry));
        damaged = Counter.builder("nonbis_store_damaged")
                .description("Requests that met a stored row that is not what was written")
                .register(registry);
        for (var state : JobState.values()) {
            var count = new AtomicLong();
            jobs.put(state, count);
            Gauge.builder("nonbis_jobs", count::get)
                    .description("Jobs by state, as counted a few seconds ago")
                    .tag("state", state.name())
                    .register(registry);
        }
        topics = new ByTopic(registry);
        spans = counters(
                SpanOutcome.class,
                outcome -> Counter.builder("nonbis_trace_spans")
                        .description("Spans that the collector has, and spans that it never got")
                        .tag("outcome", word(outcome))
                        .register(registry));
        commits = Timer.builder("nonbis_store_commit")
                .description("Time to run and commit one batch, the flush to disk included")
                .serviceLevelObjectives(buckets(1, 2, 5, 10, 20, 50, 100, 250, 500, 1000, 5000))
                .register(registry);
        batches = DistributionSummary.builder("nonbis_store_batch_size")
                .description("Operations in one commit")
                .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256)
                .register(registry);
        gauge(
                "nonbis_approvals_oldest_seconds",
                "How long the approval that expires next has waited for a human",
                () -> backlog.oldestApproval().toSeconds());
        gauge(
                "nonbis_dispatch_overdue_seconds",
                "How long the oldest intent or timeout has been due without anybody acting on it",
                () -> backlog.overdue().toSeconds());
        gauge("nonbis_dead_letters", "Dead letters that nobody has dealt with", () -> backlog.deadLetters());
    }

    public void key(Operation operation, KeyOutcome outcome) {
        at(at(keys, operation), outcome).increment();
    }

    public void blocked(Layer layer, TenantId tenant) {
        at(blocked, layer).increment();
        recent.blocked(tenant, layer);
    }

    /** What was stopped lately. */
    public Recent recent() {
        return recent;
    }

    public void decision(ApprovalRules.Call endpoint, DecisionOutcome outcome) {
        at(at(decisions, endpoint), outcome).increment();
    }

    public void released(ReleaseContext context) {
        at(releases, context).increment();
    }

    public void releaseFailed(ReleaseContext context) {
        at(releaseFailures, context).increment();
    }

    /** A request met a stored row that is not what was written. */
    public void damaged() {
        damaged.increment();
    }

    public void committed(int operations, long nanos) {
        commits.record(nanos, TimeUnit.NANOSECONDS);
        batches.record(operations);
    }

    public void answered(String route, int status, long nanos) {
        routes.computeIfAbsent(
                        route + "/" + status,
                        key -> Timer.builder("nonbis_http_request")
                                .description("Time to answer, by route and status")
                                .tag("route", route)
                                .tag("status", Integer.toString(status))
                                .serviceLevelObjectives(buckets(1, 5, 10, 25, 50, 100, 250, 500, 1000, 5000))
                                .register(registry))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    public void spans(SpanOutcome outcome, int count) {
        at(spans, outcome).increment(count);
    }

    /** A step of a dispatch has to be done again. */
    public void dispatchRetried(String topic, DispatchListener.Phase phase) {
        topics.retried(topic, phase);
    }

    /** The bus had a message that no job of the store asked for. */
    public void unasked() {
        unasked.increment();
    }

    /** A publish failed and its job went back. */
    public void rolledBack(String topic) {
        topics.rolledBack(topic);
    }

    /** A publish failed and its job could not go back. */
    public void rollbackFailed(String topic) {
        topics.rollbackFailed(topic);
    }

    /** How many messages of all tenants wait for a worker, by topic. */
    public void waiting(Map<String, Long> counts) {
        topics.waiting(counts);
    }

    /** What has waited longest, of all tenants. */
    public void backlog(Backlog measured) {
        backlog = measured;
    }

    /** How many jobs of all tenants are in each state. */
    public void jobs(Map<JobState, Long> counts) {
        jobs.forEach((state, count) -> count.set(counts.getOrDefault(state, 0L)));
    }

    /** A value that is read when somebody asks. */
    public void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    /** How long ago the loop's last successful round was, read when somebody asks. */
    public void loop(String name, Supplier<Duration> sinceLastSuccess) {
        Gauge.builder(
                        "nonbis_loop_last_success_age_seconds",
                        () -> sinceLastSuccess.get().toSeconds())
                .description("The time since the last successful round of a background loop")
                .tag("loop", name)
                .register(registry);
    }

    /** The Prometheus text. */
    public String scrape() {
        return registry.scrape();
    }

    private static Duration[] buckets(long... millis) {
        return Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    private static <E extends Enum<E>> Map<E, Counter> counters(Class<E> type, Function<E, Counter> counter) {
        var all = new EnumMap<E, Counter>(type);
        for (var constant : type.getEnumConstants()) {
            all.put(constant, counter.apply(constant));
        }
        return all;
    }

    private static <K, V> V at(Map<K, V> map, K key) {
        var value = map.get(key);
        if (value == null) {
            throw new IllegalStateException("no metric for " + key);
        }
        return value;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
