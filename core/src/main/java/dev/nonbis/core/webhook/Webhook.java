package dev.nonbis.core.webhook;

import dev.nonbis.core.identity.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One address and its place in the tenant's audit log. Events are told one after another: what is behind the place is owed, and nothing
 * else has to be remembered to owe it.
 *
 * @param place the seq of the last event that was dealt with
 * @param failures how often in a row the next one could not be told
 * @param nextAt when it may be tried
 * @param stopped why no more is sent; absent while it is in use
 */
public record Webhook(
        Key key, Target target, String secret, long place, int failures, Instant nextAt, Optional<String> stopped) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    /** How long after each failure the next try comes; after the last of them the event is given up. */
    private static final List<Duration> WAITS = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    // As exact as it is kept, so that what was written and what is read are equal.
    public Webhook {
        nextAt = nextAt.truncatedTo(ChronoUnit.MICROS);
    }

    /** Where a webhook is found. */
    public record Key(TenantId tenant, String id) {}

    /**
     * What is told where.
     *
     * @param types the types of events that are told; all of them when empty
     */
    public record Target(String url, List<String> types) {

        public Target {
            types = List.copyOf(types);
        }

        public boolean wants(String type) {
            return types.isEmpty() || types.contains(type);
        }
    }

    /** Whether the text can name a webhook. */
    public static boolean isValidId(String text) {
        return ID.matcher(text).matches();
    }

    public boolean isDue(Instant now) {
        return stopped.isEmpty() && !nextAt.isAfter(now);
    }

    /** Somebody tries now; nobody else does until this time. */
    public Webhook triedUntil(Instant until) {
        return new Webhook(key, target, secret, place, failures, until, stopped);
    }

    /** Everything up to this event is dealt with. */
    public Webhook through(long seq, Instant now) {
        return new Webhook(key, target, secret, seq, 0, now, stopped);
    }

    /** One more failure; empty when there were so many that the event is given up. */
    public Optional<Webhook> failed(Instant now) {
        return failures < WAITS.size()
                ? Optional.of(
                        new Webhook(key, target, secret, place, failures + 1, now.plus(WAITS.get(failures)), stopped))
                : Optional.empty();
    }

    public Webhook stopped(String why) {
        return new Webhook(key, target, secret, place, failures, nextAt, Optional.of(why));
    }

    /** Another target from now on; what was stopped goes on. */
    public Webhook aimedAt(Target other, Instant now) {
        return new Webhook(key, other, secret, place, 0, now, Optional.empty());
    }
}
