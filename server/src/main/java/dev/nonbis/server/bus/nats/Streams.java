package dev.nonbis.server.bus.nats;

import dev.nonbis.server.bus.nats.NatsSettings.Dedup;
import dev.nonbis.server.bus.nats.Subjects.QueueName;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The two streams and the consumers as they have to be: makes what is missing, and names what is different instead of living with it. */
final class Streams {

    private static final Logger LOG = System.getLogger(Streams.class.getName());
    private static final int NOT_FOUND = 404;
    // As often as fits into the default dispatch_timeout; then the reconciler takes over.
    private static final int MAX_DELIVER = 10;
    private static final int MAX_UNSETTLED = 1000;
    // Many times what a message that names a job and its headers take.
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final int NO_LIMIT = -1;

    private final NatsSettings settings;
    private final Subjects subjects;

    Streams(NatsSettings settings, Subjects subjects) {
        this.settings = settings;
        this.subjects = subjects;
    }

    /** The broker or a stream is not as it has to be, and only an operator may change that. */
    static final class Mismatch extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Mismatch(String message) {
            super(message);
        }
    }

    /** A stream as it is now, and whether it was missing a moment ago. */
    record Found(StreamInfo info, boolean isNew) {}

    /** Makes or checks both streams; returns the one of the jobs. */
    Found ensure(JetStreamManagement broker) throws IOException, JetStreamApiException {
        ensure(broker, wanted(Subjects.SYS, Subjects.ALL_SYS, Dedup.WINDOW));
        return ensure(broker, wanted(Subjects.JOBS, Subjects.ALL_JOBS, settings.dedup()));
    }

    private static Found ensure(JetStreamManagement broker, StreamConfiguration wanted)
            throws IOException, JetStreamApiException {
        var found = find(broker, wanted.getName());
        // Two servers may find it missing together; the second to make it is told of the first one's, because both want
        // the same.
        var info = found.isPresent() ? limited(broker, found.get(), wanted) : broker.addStream(wanted);
        var complaints = differences(wanted, info.getConfiguration());
        if (!complaints.isEmpty()) {
            throw new Mismatch(
                    "the stream " + wanted.getName() + " on the broker has " + String.join("; ", complaints));
        }
        return new Found(info, found.isEmpty());
    }

    // A server of before made it without a limit.
    private static StreamInfo limited(JetStreamManagement broker, StreamInfo found, StreamConfiguration wanted)
            throws IOException, JetStreamApiException {
        var limited = StreamConfiguration.builder(found.getConfiguration())
                .maximumMessageSize(wanted.getMaximumMessageSize())
                .build();
        return found.getConfiguration().getMaximumMessageSize() == NO_LIMIT
                        && differences(wanted, limited).isEmpty()
                ? broker.updateStream(limited)
                : found;
    }

    private static Optional<StreamInfo> find(JetStreamManagement broker, String name)
            throws IOException, JetStreamApiException {
        try {
            return Optional.of(broker.getStreamInfo(name));
        } catch (JetStreamApiException e) {
            if (e.getErrorCode() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private StreamConfiguration wanted(String name, String takes, Dedup dedup) {
        var stream = StreamConfiguration.builder()
                .name(name)
                .subjects(takes)
                .retentionPolicy(RetentionPolicy.Limits)
                .storageType(StorageType.File)
                .replicas(settings.replicas())
                .maximumMessageSize(MAX_MESSAGE_BYTES)
                .duplicateWindow(settings.timing().window());
        return switch (dedup) {
            case WINDOW -> stream.maxAge(settings.timing().maxAge()).build();
            case STREAM ->
                stream.maxMessagesPerSubject(1)
                        .discardPolicy(DiscardPolicy.New)
                        .discardNewPerSubject(true)
                        .build();
        };
    }

    private static List<String> differences(StreamConfiguration wanted, StreamConfiguration found) {
        var all = new ArrayList<String>();
        compare(all, "subjects", wanted.getSubjects(), found.getSubjects());
        compare(all, "retention", wanted.getRetentionPolicy(), found.getRetentionPolicy());
        compare(all, "storage", wanted.getStorageType(), found.getStorageType());
        compare(all, "max_age", wanted.getMaxAge(), found.getMaxAge());
        compare(all, "duplicate_window", wanted.getDuplicateWindow(), found.getDuplicateWindow());
        compare(all, "num_replicas", wanted.getReplicas(), found.getReplicas());
        compare(all, "max_msgs", wanted.getMaxMsgs(), found.getMaxMsgs());
        compare(all, "max_bytes", wanted.getMaxBytes(), found.getMaxBytes());
        compare(all, "max_msg_size", wanted.getMaximumMessageSize(), found.getMaximumMessageSize());
        compare(all, "max_consumers", wanted.getMaxConsumers(), found.getMaxConsumers());
        compare(all, "no_ack", wanted.getNoAck(), found.getNoAck());
        compare(all, "sealed", wanted.getSealed(), found.getSealed());
        compare(all, "max_msgs_per_subject", wanted.getMaxMsgsPerSubject(), found.getMaxMsgsPerSubject());
        compare(all, "discard", wanted.getDiscardPolicy(), found.getDiscardPolicy());
        compare(all, "discard_new_per_subject", wanted.isDiscardNewPerSubject(), found.isDiscardNewPerSubject());
        return all;
    }

    private static void compare(List<String> complaints, String what, Object wanted, Object found) {
        if (!Objects.equals(wanted, found)) {
            complaints.add(what + " " + found + " where " + wanted + " is needed");
        }
    }

    /** Makes the queue's consumer unless it is there. */
    void ensureConsumer(JetStreamManagement broker, QueueName queue) throws IOException, JetStreamApiException {
        broker.addOrUpdateConsumer(Subjects.JOBS, consumer(queue));
    }

    /** Makes those of the queues' consumers again that are gone, changed or paused. */
    void compareConsumers(JetStreamManagement broker, Collection<QueueName> queues)
            throws IOException, JetStreamApiException {
        var found = broker.getConsumers(Subjects.JOBS).stream()
                .collect(Collectors.toMap(ConsumerInfo::getName, info -> info));
        for (var queue : queues) {
            var info = found.get(queue.consumer());
            var complaints = info == null ? List.of("been deleted") : differences(consumer(queue), info);
            if (!complaints.isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        "somebody edited the broker: the consumer {0} has {1}; it is made as it has to be",
                        queue.consumer(),
                        complaints);
                if (info != null && info.getPaused()) {
                    broker.resumeConsumer(Subjects.JOBS, queue.consumer());
                }
                ensureConsumer(broker, queue);
            }
        }
    }

    private static List<String> differences(ConsumerConfiguration wanted, ConsumerInfo info) {
        var found = info.getConsumerConfiguration();
        var all = new ArrayList<String>();
        compare(all, "filter_subject", wanted.getFilterSubject(), found.getFilterSubject());
        compare(all, "ack_policy", wanted.getAckPolicy(), found.getAckPolicy());
        compare(all, "ack_wait", wanted.getAckWait(), found.getAckWait());
        compare(all, "max_deliver", wanted.getMaxDeliver(), found.getMaxDeliver());
        compare(all, "max_ack_pending", wanted.getMaxAckPending(), found.getMaxAckPending());
        compare(all, "max_batch", wanted.getMaxBatch(), found.getMaxBatch());
        compare(all, "max_bytes", wanted.getMaxBytes(), found.getMaxBytes());
        compare(all, "headers_only", wanted.isHeadersOnly(), found.isHeadersOnly());
        compare(all, "paused", false, info.getPaused());
        return all;
    }

    private ConsumerConfiguration consumer(QueueName queue) {
        var consumer = ConsumerConfiguration.builder()
                .durable(queue.consumer())
                .description("Work of " + queue.tenant() + " on " + queue.topic())
                .filterSubject(subjects.filter(queue))
                .deliverPolicy(DeliverPolicy.All)
                .ackPolicy(AckPolicy.Explicit)
                .ackWait(settings.timing().redelivery())
                .maxDeliver(MAX_DELIVER)
                .maxAckPending(MAX_UNSETTLED);
        if (settings.dedup() == Dedup.WINDOW) {
            // Forgotten only when everything that it has settled is gone too, so that a new one repeats nothing.
            consumer.inactiveThreshold(settings.timing().maxAge().plus(Duration.ofHours(1)));
        }
        return consumer.build();
    }
}
