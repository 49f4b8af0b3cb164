package dev.nonbis.client.worker;

import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where a worker hears of work. Hearing of it gives no right to do it: only a start does. */
public interface TaskSource extends AutoCloseable {

    /**
     * Work of these topics, at most this much, after at most this wait.
     *
     * @throws dev.nonbis.client.NonbisException when there is no way to hear of any
     */
    List<Offer> take(List<String> topics, int max, Duration wait);

    /** Takes nothing more. */
    @Override
    default void close() {}

    /**
     * An execution that may be started.
     *
     * @param isComplete whether the delivery says what there is to do; else the start's answer does
     */
    record Offer(JsonNode delivery, boolean isComplete, Receipt receipt) {

        /** Something that names no execution: the server is told its topic and its place, and settles what it is. */
        public static Offer unreadable(String topic, long place, Receipt receipt) {
            var delivery = JsonMapper.shared().createObjectNode();
            return new Offer(delivery.put("topic", topic).put("sequence", place), false, receipt);
        }

        boolean isReadable() {
            return delivery.has("job_id");
        }
    }

    /** What the source is told of an offer. */
    interface Receipt {

        /** Of a source that does not care. */
        Receipt NONE = new Receipt() {
            @Override
            public void settled() {}

            @Override
            public void later() {}
        };

        /** It was started, or is not to be. */
        void settled();

        /** It could not be started yet; it should be offered again. */
        void later();
    }
}
