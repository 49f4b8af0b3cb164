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
 * <pre>
 *   idle ──an event──▶ due ──claimed──▶ tried ──answered──▶ due, or idle at the end of the log
 *                       ▲                 │ failed, or the server died
 *                       └─────later───────┘
 * </pre>
 *
 * @param place the seq of the last event that was dealt with
 * @param failures how often in a row the next one could not be told
 * @param deliveries how many events were dealt with by a try, which numbers the deliveries
 * @param nextAt when it may be tried; absent while it is idle
 * @param stopped why no more is sent; absent while it is in use
 */
public record Webhook(
        Key key,
        Target target,
        String secret,
        long place,
        int failures,
        long deliveries,
        Optional<Instant> nextAt,
        Optional<String> stopped) {

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
        nextAt = nextAt.map(at -> at.truncatedTo(ChronoUnit.MICROS));
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

        /** The URL without what may be a secret in it: its query and its fragment. */
        public String urlWithoutQuery() {
            return url.split("[?#]", 2)[0];
        }
    }

    /** Whether the text can name a webhook. */
    public static boolean isValidId(String text) {
        return ID.matcher(text).matches();
    }

    /** A webhook that is told what comes behind this place. */
    public static Webhook added(Key key, Target target, String secret, long place, Instant now) {
        return new Webhook(key, target, secret, place, 0, 0, Optional.of(now), Optional.empty());
    }

    /** When it may be tried; empty when nothing is owed or it is stopped. */
    public Optional<Instant> due() {
        return stopped.isEmpty() ? nextAt : Optional.empty();
    }

    public boolean isDue(Instant now) {
        return due().filter(at -> !at.isAfter(now)).isPresent();
    }

    /** Whether events up to this one have to make it due. */
    public boolean isIdleBefore(long seq) {
        return stopped.isEmpty() && nextAt.isEmpty() && place < seq;
    }

    /** Something is owed to it. */
    public Webhook dueAt(Instant at) {
        return new Webhook(key, target, secret, place, failures, deliveries, Optional.of(at), stopped);
    }

    /** A server tries now; no other does until this time. */
    public Webhook triedUntil(Instant until) {
        return dueAt(until);
    }

    /** Everything up to this event is dealt with, without a try. */
    public Webhook skippedTo(long seq, Instant now) {
        return new Webhook(key, target, secret, seq, 0, deliveries, Optional.of(now), stopped);
    }

    /** Everything up to this event is dealt with; it was delivered or given up. */
    public Webhook through(long seq, Instant now) {
        return new Webhook(key, target, secret, seq, 0, deliveries + 1, Optional.of(now), stopped);
    }

    /** Nothing is owed to it. */
    public Webhook idle() {
        return new Webhook(key, target, secret, place, failures, deliveries, Optional.empty(), stopped);
    }

    /** One more failure; empty when there were so many that the event is given up. */
    public Optional<Webhook> failed(Instant now) {
        if (failures == WAITS.size()) {
            return Optional.empty();
        }
        var next = Optional.of(now.plus(WAITS.get(failures)));
        return Optional.of(new Webhook(key, target, secret, place, failures + 1, deliveries, next, stopped));
    }

    public Webhook stopped(String why) {
        return new Webhook(key, target, secret, place, failures, deliveries, nextAt, Optional.of(why));
    }

    /** Another target from now on; what was stopped goes on. */
    public Webhook aimedAt(Target other, Instant now) {
        return new Webhook(key, other, secret, place, 0, deliveries, Optional.of(now), Optional.empty());
    }
}
