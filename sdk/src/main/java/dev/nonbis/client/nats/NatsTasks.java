package dev.nonbis.client.nats;

import dev.nonbis.client.UnreachableException;
import dev.nonbis.client.worker.TaskSource;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Work of one tenant from JetStream. Each topic has a consumer that the server makes with the topic's first job; workers share it with
 * those that poll over HTTP. What was heard and not started comes back after half a minute.
 */
public final class NatsTasks implements TaskSource {

    private static final String NEXT = "$JS.API.CONSUMER.MSG.NEXT.NONBIS_JOBS.";
    private static final Duration BACK_IN = Duration.ofSeconds(1);
    // A request to a consumer that does not exist yet is lost; the next one may find it.
    private static final Duration ASK_AGAIN = Duration.ofSeconds(2);

    private final Connection connection;
    private final String tenant;
    private final Dispatcher dispatcher;
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final Map<String, Asking> topics = new ConcurrentHashMap<>();

    /** Over a connection that stays the caller's to close. */
    public NatsTasks(Connection connection, String tenant) {
        this.connection = connection;
        this.tenant = tenant;
        this.dispatcher = connection.createDispatcher();
    }

    /** A message, and the topic that was asked for it. */
    private record Heard(String topic, Message message) {}

    /** What one topic was asked for. */
    private final class Asking {

        private final String topic;
        private final String consumer;
        private final String inbox = connection.createInbox();
        private volatile int awaited;
        private volatile long endNanos;

        Asking(String topic) {
            this.topic = topic;
            this.consumer = tenant + "~" + topic.replace('.', '~');
            dispatcher.subscribe(inbox, this::hear);
        }

        private synchronized void hear(Message message) {
            if (message.isStatusMessage()) {
                awaited = 0;
            } else {
                awaited--;
                heard.add(new Heard(topic, message));
            }
        }

        synchronized void ask(int max) {
            if (awaited > 0 && System.nanoTime() - endNanos < 0) {
                return;
            }
            awaited = max;
            endNanos = System.nanoTime() + ASK_AGAIN.toNanos();
            var wanted =
                    JsonMapper.shared().createObjectNode().put("batch", max).put("expires", ASK_AGAIN.toNanos());
            connection.publish(NEXT + consumer, inbox, wanted.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public List<Offer> take(List<String> names, int max, Duration wait) {
        var offers = new ArrayList<Offer>();
        long end = System.nanoTime() + wait.toNanos();
        try {
            while (offers.isEmpty() && System.nanoTime() - end < 0) {
                if (heard.isEmpty()) {
                    names.forEach(
                            name -> topics.computeIfAbsent(name, Asking::new).ask(Math.max(1, max / names.size())));
                }
                long patience = Math.min(end - System.nanoTime(), ASK_AGAIN.toNanos());
                var first = heard.poll(Math.max(0, patience), TimeUnit.NANOSECONDS);
                for (var next = first; next != null; next = offers.size() < max ? heard.poll() : null) {
                    offers.add(offer(next));
                }
            }
            return offers;
        } catch (IllegalStateException e) {
            throw new UnreachableException("no connection to the broker", Optional.empty(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return offers;
        }
    }

    private Offer offer(Heard heard) {
        var message = heard.message();
        return read(heard)
                .map(job -> new Offer(job, false, receipt(message, message::ack)))
                // The server keeps it for a human; then nobody is to get it again.
                .orElseGet(() -> Offer.unreadable(
                        heard.topic(), message.metaData().streamSequence(), receipt(message, message::term)));
    }

    // One that speaks of another tenant or topic than the one it came from is nobody's work.
    private Optional<ObjectNode> read(Heard heard) {
        try {
            JsonNode named = JsonMapper.shared().readTree(heard.message().getData());
            if (named instanceof ObjectNode job
                    && job.path("execution").asInt(0) > 0
                    && job.path("job_id").isString()
                    && job.path("tenant").asString("").equals(tenant)
                    && job.path("topic").asString("").equals(heard.topic())) {
                var headers = heard.message().getHeaders();
                if (headers != null && headers.getFirst("traceparent") != null) {
                    job.put("traceparent", headers.getFirst("traceparent"));
                }
                return Optional.of(job.put("fence", job.path("execution").asInt()));
            }
            return Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static Receipt receipt(Message message, Runnable settle) {
        return new Receipt() {
            @Override
            public void settled() {
                tell(settle);
            }

            @Override
            public void later() {
                tell(() -> message.nakWithDelay(BACK_IN));
            }
        };
    }

    private static void tell(Runnable word) {
        try {
            word.run();
        } catch (IllegalStateException e) {
            // A broker that does not hear this delivers again, and the job's state says that there is nothing to do.
        }
    }

    @Override
    public void close() {
        if (dispatcher.isActive()) {
            connection.closeDispatcher(dispatcher);
        }
        for (var next = heard.poll(); next != null; next = heard.poll()) {
            tell(next.message()::nak);
        }
    }
}
