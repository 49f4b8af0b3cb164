package dev.nonbis.server.bus.nats;

import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.server.bus.nats.Link.Broker;
import dev.nonbis.server.bus.nats.Subjects.QueueName;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Which queues have a consumer. Whoever publishes makes it, so that asking for work of topics that never had any costs the broker
 * nothing; whoever takes only looks, because the broker does not answer those who ask a consumer that does not exist.
 */
final class Consumers {

    private static final int NOT_FOUND = 404;
    private static final long ABSENT_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);
    // Beyond so many, what is known is looked up anew: the names come from outside.
    private static final int MOST = 10_000;

    private final Streams streams;
    private final Set<QueueName> known = ConcurrentHashMap.newKeySet();
    private final Map<QueueName, Long> absentSince = new ConcurrentHashMap<>();

    Consumers(Streams streams) {
        this.streams = streams;
    }

    /**
     * Makes the queue's consumer unless it is known.
     *
     * @throws BusUnavailable when the broker does not
     */
    void ensure(Broker broker, QueueName queue) {
        if (known.contains(queue)) {
            return;
        }
        try {
            streams.ensureConsumer(broker.management(), queue);
            known(queue);
        } catch (IOException | JetStreamApiException e) {
            throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "no consumer: " + e.getMessage(), e);
        }
    }

    boolean exists(Broker broker, QueueName queue) {
        if (known.contains(queue)) {
            return true;
        }
        var since = absentSince.get(queue);
        if (since != null && System.nanoTime() - since < ABSENT_FOR_NANOS) {
            return false;
        }
        try {
            broker.management().getConsumerInfo(Subjects.JOBS, queue.consumer());
            known(queue);
            return true;
        } catch (JetStreamApiException e) {
            if (e.getErrorCode() == NOT_FOUND) {
                absent(queue);
            }
            return false;
        } catch (IOException e) {
            throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "no answer: " + e.getMessage(), e);
        }
    }

    /** A message came to it, so that it may have a consumer by now. */
    void heardOf(QueueName queue) {
        absentSince.remove(queue);
    }

    /** Makes those again that somebody deleted or changed. */
    void compare(JetStreamManagement broker) throws IOException, JetStreamApiException {
        if (!known.isEmpty()) {
            streams.compareConsumers(broker, known);
        }
    }

    /** It did not answer: perhaps somebody deleted it. */
    void doubt(Broker broker, QueueName queue) {
        known.remove(queue);
        ensure(broker, queue);
    }

    void forgetAll() {
        known.clear();
        absentSince.clear();
    }

    private void known(QueueName queue) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.add(queue);
    }

    private void absent(QueueName queue) {
        if (absentSince.size() >= MOST) {
            absentSince.clear();
        }
        absentSince.put(queue, System.nanoTime());
    }
}
