package dev.nonbis.server.bus.nats;

import dev.nonbis.server.bus.nats.NatsSettings.Dedup;
import dev.nonbis.server.bus.nats.Subjects.QueueName;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The two streams and the consumers as they have to be: makes what is missing, and names what is different instead of living with it. */
final class Streams {

    private static final int NOT_FOUND = 404;
    // As often as fits into the default dispatch_timeout; then the reconciler takes over.
    private static final int MAX_DELIVER = 10;
    private static final int MAX_UNSETTLED = 1000;

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
        var info = found.isPresent() ? found.get() : broker.addStream(wanted);
        var complaints = differences(wanted, info.getConfiguration());
        if (!complaints.isEmpty()) {
            throw new Mismatch(
                    "the stream " + wanted.getName() + " on the broker has " + String.join("; ", complaints));
        }
        return new Found(info, found.isEmpty());
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
