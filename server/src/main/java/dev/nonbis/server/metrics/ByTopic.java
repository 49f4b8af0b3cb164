package dev.nonbis.server.metrics;

import dev.nonbis.core.operation.DispatchListener.Phase;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** The metrics of dispatch, which have the topic as a label. Tenants choose topics, so the number of labels is bounded. */
final class ByTopic {

    private static final int MAX_TOPICS = 500;
    private static final String OTHERS = "others";

    private final MeterRegistry registry;
    private final ConcurrentMap<String, Meters> meters = new ConcurrentHashMap<>();

    ByTopic(MeterRegistry registry) {
        this.registry = registry;
        meters("job.default");
    }

    private record Meters(
            Counter rollbacks, Counter rollbackFailures, Map<Phase, Counter> retries, AtomicLong waiting) {}

    void retried(String topic, Phase phase) {
        var counter = meters(topic).retries().get(phase);
        if (counter != null) {
            counter.increment();
        }
    }

    void rolledBack(String topic) {
        meters(topic).rollbacks().increment();
    }

    void rollbackFailed(String topic) {
        meters(topic).rollbackFailures().increment();
    }

    void waiting(Map<String, Long> counts) {
        meters.forEach((topic, known) -> known.waiting().set(counts.getOrDefault(topic, 0L)));
        counts.forEach((topic, count) -> {
            if (count > 0) {
                meters(topic).waiting().set(count);
            }
        });
    }

    private Meters meters(String topic) {
        String label = meters.containsKey(topic) || meters.size() < MAX_TOPICS ? topic : OTHERS;
        return meters.computeIfAbsent(label, this::register);
    }

    private Meters register(String topic) {
        var waiting = new AtomicLong();
        Gauge.builder("nonbis_bus_waiting", waiting::get)
                .description("Messages that no worker has started, as counted a few seconds ago")
                .tag("topic", topic)
                .register(registry);
        var retries = new ConcurrentHashMap<Phase, Counter>();
        for (var phase : Phase.values()) {
            retries.put(
                    phase,
                    Counter.builder("nonbis_dispatch_retries")
                            .description("Steps of a dispatch that had to be done again")
                            .tag("topic", topic)
                            .tag("phase", phase.word())
                            .register(registry));
        }
        return new Meters(
                counter("nonbis_dispatch_rollback", "Jobs that went back to SCHEDULED after a failed publish", topic),
                counter(
                        "nonbis_dispatch_rollback_failures",
                        "Failed publishes whose job could not go back at once",
                        topic),
                retries,
                waiting);
    }

    private Counter counter(String name, String description, String topic) {
        return Counter.builder(name)
                .description(description)
                .tag("topic", topic)
                .register(registry);
    }
}
