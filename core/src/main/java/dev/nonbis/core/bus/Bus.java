package dev.nonbis.core.bus;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import java.util.List;

/** Carries requests to workers, at least once. */
public interface Bus {

    /**
     * Hands a message over. A repetition within two minutes of the first is recognised by its id and does not extend that time.
     *
     * @throws BusUnavailable when the bus failed; says whether it may have the message
     */
    Published publish(Message message);

    /** What became of a publish. */
    enum Published {
        ACCEPTED,
        /** The bus had it already. */
        DUPLICATE
    }

    /**
     * Takes messages that may be handed to a worker of this tenant. What is not settled comes back later.
     *
     * @throws BusUnavailable when the bus failed
     */
    List<Message> take(TenantId tenant, List<String> subjects, int max);

    /** The message is of no use any more and must not come back. */
    void settle(Message message);
}
