package dev.nonbis.server.bus.nats;

import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.dispatch.MessageId;
import dev.nonbis.core.identity.TenantId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Where to tell the broker that a message is settled, for those taken here. The oldest is forgotten first; then it comes back once more. */
final class InHand {

    private static final int MOST = 50_000;

    private final Map<Key, String> replies = new LinkedHashMap<>();

    private record Key(TenantId tenant, MessageId id) {}

    synchronized void taken(Message message, String replyTo) {
        var key = key(message);
        replies.remove(key);
        replies.put(key, replyTo);
        if (replies.size() > MOST) {
            replies.remove(replies.keySet().iterator().next());
        }
    }

    synchronized Optional<String> settled(Message message) {
        return Optional.ofNullable(replies.remove(key(message)));
    }

    private static Key key(Message message) {
        return new Key(message.tenant(), message.id());
    }
}
