package dev.nonbis.core.dispatch;

import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A message in the embedded queue, kept after it was spent for as long as repetitions of it are recognised.
 *
 * @param acceptedAt when it was taken; a repetition does not change it
 * @param visibleAt when it may be handed out next; absent once it is spent
 */
public record QueuedMessage(Message message, Instant acceptedAt, Optional<Instant> visibleAt, int deliveries) {

    /** How long a repetition of a message is recognised. */
    public static final Duration WINDOW = Duration.ofMinutes(2);

    /** Where a message is found. A name counts within its tenant, so that no tenant can swallow another's messages. */
    public record Key(TenantId tenant, MessageId id) {}

    /** How many messages of one tenant and topic are not spent. */
    public record Depth(long waiting) {}

    /** Where a depth is found. */
    public record DepthKey(TenantId tenant, String topic) {}

    public static QueuedMessage accepted(Message message, Instant at) {
        return new QueuedMessage(message, at, Optional.of(at), 0);
    }

    public Key key() {
        return new Key(message.tenant(), message.id());
    }

    public DepthKey depthKey() {
        return new DepthKey(message.tenant(), message.subject());
    }

    public boolean isInWindow(Instant now) {
        return now.isBefore(windowEnd());
    }

    public Instant windowEnd() {
        return acceptedAt.plus(WINDOW);
    }

    public boolean isVisible(Instant now) {
        return visibleAt.isPresent() && !visibleAt.get().isAfter(now);
    }

    public boolean isSpent() {
        return visibleAt.isEmpty();
    }

    /** Handed out; it comes back at this time unless it is spent before. */
    public QueuedMessage handedOut(Instant backAt) {
        return new QueuedMessage(message, acceptedAt, Optional.of(backAt), deliveries + 1);
    }

    /** Not handed out after all. */
    public QueuedMessage givenBack(Instant at) {
        return new QueuedMessage(message, acceptedAt, Optional.of(at), deliveries - 1);
    }

    public QueuedMessage spent() {
        return new QueuedMessage(message, acceptedAt, Optional.empty(), deliveries);
    }
}
