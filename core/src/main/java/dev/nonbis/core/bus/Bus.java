package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Announcement;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import java.util.List;
import java.util.Optional;

/** Carries requests to workers, at least once. */
public interface Bus {

    /**
     * Hands a message over. A repetition within two minutes of the first is recognised by its id and does not extend that time.
     *
     * @throws BusUnavailable when the bus failed; says whether it may have the message
     */
    Published publish(Message message);

    /**
     * Hands several messages over, in their order; one failing does not keep the others back.
     *
     * @return what became of each
     */
    default List<Handed> publishAll(List<Message> messages) {
        return messages.stream()
                .map(message -> {
                    try {
                        return (Handed) new Handed.Taken(publish(message));
                    } catch (BusUnavailable e) {
                        return new Handed.Failed(e);
                    } catch (RuntimeException e) {
                        return new Handed.Broken(e);
                    }
                })
                .toList();
    }

    /**
     * Tells whoever listens of recorded results, in their order. On a bus of our own nobody else does.
     *
     * @return what became of each
     */
    default List<Handed> announceAll(List<Announcement> results) {
        return results.stream()
                .<Handed>map(result -> new Handed.Taken(Published.ACCEPTED))
                .toList();
    }

    /** Why nothing can be published now; empty while something can. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /** What became of one message of several. */
    sealed interface Handed {

        record Taken(Published published) implements Handed {}

        record Failed(BusUnavailable why) implements Handed {}

        /** Not the bus but a program is wrong; the bus may have the message. */
        record Broken(RuntimeException why) implements Handed {}
    }

    /** What became of a publish. */
    enum Published {
        ACCEPTED,
        /** The bus had it already. */
        DUPLICATE
    }

    /**
     * Takes messages that may be handed to a worker of this tenant. What is not settled comes back later.
     *
     * @param bytes where it is known how much is handed out with each message, the last one taken is the one that reaches this
     * @throws BusUnavailable when the bus failed
     */
    List<Message> take(TenantId tenant, List<String> subjects, int max, long bytes);

    /** Takes messages, however much is handed out with them. */
    default List<Message> take(TenantId tenant, List<String> subjects, int max) {
        return take(tenant, subjects, max, Long.MAX_VALUE);
    }

    /** A message that was taken is not handed out after all, and may be taken again at once. */
    void giveBack(Message message);

    /** What a message is that somebody else could not read. */
    enum Unread {
        /** It names no job; its bytes are kept for a human. */
        KEPT,
        /** It does name a job. */
        READABLE,
        /** There is none in this queue at this place. */
        GONE
    }

    /**
     * Looks at a message that a worker got from the bus itself and could not read.
     *
     * @param place where in the bus it stands, as the bus told the worker
     * @throws BusUnavailable when the bus failed
     */
    default Unread keepUnreadable(TenantId tenant, String subject, long place) {
        return Unread.GONE;
    }

    /** The message is of no use any more and should not come back. A bus that is away forgets this: then it comes back once more. */
    void settle(Message message);
}
