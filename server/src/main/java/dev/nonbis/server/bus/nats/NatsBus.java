package dev.nonbis.server.bus.nats;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.bus.nats.Link.Broker;
import dev.nonbis.server.bus.nats.Subjects.QueueName;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Messages on NATS JetStream. A publish counts when the broker has confirmed it; while the broker is away nothing is published and
 * nothing taken, and {@link #trouble} says so. Call {@link #watch} every second and after {@link Events#changed}.
 */
public final class NatsBus implements Bus, AutoCloseable {

    private static final Logger LOG = System.getLogger(NatsBus.class.getName());
    private static final byte[] ACK = "+ACK".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NAK = "-NAK".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TERM = "+TERM".getBytes(StandardCharsets.US_ASCII);
    // The subject of a message, in a stream that allows one for each, is taken.
    private static final int SUBJECT_TAKEN = 10077;
    private static final int NOT_FOUND = 404;

    private final NatsSettings settings;
    private final Subjects subjects;
    private final Link link;
    private final Events events;
    private final InHand inHand = new InHand();
    private final Consumers consumers;
    private final AtomicInteger turn = new AtomicInteger();

    /** What the bus tells whoever runs it. */
    public interface Events {

        /** Somebody published a message to this queue: whoever waits for one may look. */
        void news(TenantId tenant, String topic);

        /** There is a connection to answer the API over, the first one or one in place of another that was closed. */
        void connected(Connection connection);

        /** The broker went away, came back or may have: {@link NatsBus#watch} should be called soon. */
        void changed();

        /** Confirmed messages are gone: what waits for a worker has to be published again. */
        void lost();

        /** A message is none of ours; when this returns, its bytes are safe and it is thrown away. */
        void unreadable(Unreadable message);
    }

    /**
     * A message of the stream that names no job.
     *
     * @param place tells it from every other message, however often it is delivered
     */
    @SuppressWarnings("ArrayRecordComponent") // Bytes are handed over, never shared or compared.
    public record Unreadable(TenantId tenant, String topic, String place, byte[] bytes) {}

    public NatsBus(NatsSettings settings, Events events) {
        this.settings = settings;
        this.events = events;
        this.subjects = new Subjects(settings.dedup());
        var streams = new Streams(settings, subjects);
        this.consumers = new Consumers(streams);
        this.link = new Link(settings, streams, new Hearing());
    }

    /**
     * Connects if need be and looks after the streams.
     *
     * @throws IllegalArgumentException when the broker or a stream on it is not as it has to be; the message names the difference
     */
    public void watch() {
        try {
            link.watch();
        } catch (Streams.Mismatch e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> trouble() {
        return link.trouble();
    }

    @Override
    public Published publish(Message message) {
        return switch (publishAll(List.of(message)).getFirst()) {
            case Handed.Taken(var published) -> published;
            case Handed.Failed(var why) -> throw why;
            case Handed.Broken(var why) -> throw why;
        };
    }

    @Override
    public List<Handed> publishAll(List<Message> messages) {
        var sent = new ArrayList<CompletableFuture<PublishAck>>();
        for (var message : messages) {
            sent.add(send(message));
        }
        long end = System.nanoTime() + settings.timing().ack().toNanos();
        return sent.stream().map(ack -> await(ack, end, link::confirmed)).toList();
    }

    @Override
    public List<Handed> announceAll(List<Announcement> results) {
        var sent = new ArrayList<CompletableFuture<PublishAck>>();
        for (var result : results) {
            sent.add(send(broker -> broker.publisher()
                    .publishAsync(Subjects.subject(result), Envelope.headers(result), Envelope.body(result))));
        }
        long end = System.nanoTime() + settings.timing().ack().toNanos();
        return sent.stream().map(ack -> await(ack, end, sequence -> {})).toList();
    }

    private CompletableFuture<PublishAck> send(Message message) {
        return send(broker -> {
            consumers.ensure(broker, Subjects.queue(message));
            return broker.publisher()
                    .publishAsync(subjects.subject(message), Envelope.headers(message), Envelope.body(message));
        });
    }

    private CompletableFuture<PublishAck> send(Function<Broker, CompletableFuture<PublishAck>> publish) {
        try {
            return publish.apply(link.ready());
        } catch (BusUnavailable e) {
            link.suspect(String.valueOf(e.getMessage()));
            return CompletableFuture.failedFuture(e);
        } catch (IllegalStateException e) {
            // The client refuses what it could only buffer.
            return CompletableFuture.failedFuture(
                    new BusUnavailable(Fate.DID_NOT_HAPPEN, "not sent: " + e.getMessage(), e));
        }
    }

    // Where in its stream a message stands matters only for requests, whose loss has to be noticed.
    private Handed await(CompletableFuture<PublishAck> sent, long end, LongConsumer onConfirmed) {
        try {
            var ack = sent.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            onConfirmed.accept(ack.getSeqno());
            return new Handed.Taken(ack.isDuplicate() ? Published.DUPLICATE : Published.ACCEPTED);
        } catch (TimeoutException e) {
            link.suspect("the broker did not confirm a message in time");
            return unknown("not confirmed in time", e);
        } catch (ExecutionException e) {
            return failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown("interrupted", e);
        }
    }

    private Handed failed(ExecutionException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BusUnavailable known) {
                return new Handed.Failed(known);
            }
            if (cause instanceof JetStreamApiException refused) {
                if (refused.getApiErrorCode() == SUBJECT_TAKEN) {
                    return new Handed.Taken(Published.DUPLICATE);
                }
                link.suspect("the broker refused a message: " + refused.getMessage());
                return new Handed.Failed(
                        new BusUnavailable(Fate.DID_NOT_HAPPEN, "refused: " + refused.getMessage(), refused));
            }
        }
        link.suspect("the broker did not take a message");
        return unknown("no confirmation: " + failure.getMessage(), failure);
    }

    private static Handed unknown(String why, Throwable cause) {
        return new Handed.Failed(new BusUnavailable(Fate.UNKNOWN, why, cause));
    }

    /** One topic after another, and not always the same one first, so that a full one starves none beside it. */
    @Override
    public List<Message> take(TenantId tenant, List<String> topics, int max, long bytes) {
        var taken = new ArrayList<Message>();
        int first = Math.floorMod(turn.getAndIncrement(), Math.max(1, topics.size()));
        for (int i = 0; i < topics.size() && taken.size() < max && trouble().isEmpty(); i++) {
            var queue = new QueueName(tenant, topics.get((first + i) % topics.size()));
            taken.addAll(take(queue, max - taken.size()));
        }
        return taken;
    }

    private List<Message> take(QueueName queue, int max) {
        try {
            var broker = link.ready();
            var pulling = link.pulling();
            if (pulling.isEmpty() || !consumers.exists(broker, queue)) {
                return List.of();
            }
            var pulled = Pull.now(pulling.get(), queue.consumer(), max);
            if (!pulled.answered()) {
                consumers.doubt(broker, queue);
            }
            return read(pulling.get(), pulled.messages());
        } catch (BusUnavailable | IllegalStateException e) {
            LOG.log(Level.DEBUG, "nothing taken: {0}", e.getMessage());
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private List<Message> read(Connection pulling, List<io.nats.client.Message> delivered) {
        var readable = new ArrayList<Message>();
        for (var raw : delivered) {
            var queue = subjects.queueOf(raw.getSubject());
            var message = queue.filter(name -> Envelope.isReadable(raw.getHeaders()))
                    .flatMap(name -> Envelope.read(raw.getData(), name));
            if (message.isPresent()) {
                inHand.taken(message.get(), raw.getReplyTo());
                readable.add(message.get());
            } else {
                queue.ifPresent(name -> bury(pulling, name, raw));
            }
        }
        return readable;
    }

    // In this order: what is thrown away has been kept.
    private void bury(Connection pulling, QueueName queue, io.nats.client.Message raw) {
        keep(queue, raw.metaData().streamSequence(), raw.getData());
        pulling.publish(raw.getReplyTo(), TERM);
    }

    private void keep(QueueName queue, long sequence, byte[] bytes) {
        events.unreadable(new Unreadable(queue.tenant(), queue.topic(), link.age() + "/" + sequence, bytes));
    }

    /** A native worker throws the message away when this has returned; it is not believed what the message is. */
    @Override
    public Unread keepUnreadable(TenantId tenant, String topic, long sequence) {
        try {
            var found = link.ready().management().getMessage(Subjects.JOBS, sequence);
            var queue = subjects.queueOf(found.getSubject()).filter(new QueueName(tenant, topic)::equals);
            if (queue.isEmpty()) {
                return Unread.GONE;
            }
            if (Envelope.read(found.getData(), queue.get()).isPresent()) {
                return Unread.READABLE;
            }
            keep(queue.get(), sequence, found.getData());
            return Unread.KEPT;
        } catch (JetStreamApiException e) {
            if (e.getErrorCode() == NOT_FOUND) {
                return Unread.GONE;
            }
            throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "no answer: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "no answer: " + e.getMessage(), e);
        }
    }

    @Override
    public void settle(Message message) {
        reply(message, ACK);
    }

    /** The broker hands it to whoever asks next. */
    @Override
    public void giveBack(Message message) {
        reply(message, NAK);
    }

    private void reply(Message message, byte[] word) {
        var replyTo = inHand.settled(message);
        var connection = link.pulling();
        if (replyTo.isPresent() && connection.isPresent()) {
            try {
                connection.get().publish(replyTo.get(), word);
            } catch (IllegalStateException e) {
                LOG.log(Level.DEBUG, "{0} comes back: {1}", message.id(), e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        link.close();
    }

    /** A broker that lost messages lost its consumers too. */
    private final class Hearing implements Link.Hearer {

        @Override
        public void connected(Connection connection) {
            events.connected(connection);
        }

        @Override
        public void published(String subject) {
            subjects.queueOf(subject).ifPresent(queue -> {
                consumers.heardOf(queue);
                events.news(queue.tenant(), queue.topic());
            });
        }

        @Override
        public void changed() {
            events.changed();
        }

        @Override
        public void compare(JetStreamManagement broker) throws IOException, JetStreamApiException {
            consumers.compare(broker);
        }

        @Override
        public void lost() {
            consumers.forgetAll();
            events.lost();
        }
    }
}
