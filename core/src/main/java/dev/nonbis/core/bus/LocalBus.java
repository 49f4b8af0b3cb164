package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tx;
import java.time.Instant;
import java.util.List;

/** A bus whose messages are rows of our own store, so that a message and the state that it follows from are one write. */
public interface LocalBus extends Bus {

    Published enqueue(Tx tx, Message message, Instant now);

    /** What was enqueued is committed, so that takers on this server need not look for it. Leaving this out costs time, nothing else. */
    void committed(List<Message> messages);

    /** The rows that {@link #enqueue} will ask for. */
    List<RowRef<?, ?>> reads(Message message);
}
