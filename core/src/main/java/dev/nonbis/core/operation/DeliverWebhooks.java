package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.webhook.Delivery;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.core.webhook.WebhookSender;
import dev.nonbis.core.webhook.WebhookSender.Message;
import dev.nonbis.core.webhook.WebhookSender.Outcome;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells events to webhooks, each at least once and in order. The log is the outbox: an event is owed as soon as it is committed, and until
 * an answer to it is. A try is written down before it is made, so that two servers do not make the same one.
 *
 * <p>A webhook that has been told everything is idle and in no index. The first event after that marks its tenant, in the event's own
 * transaction; {@link #wakeIdle} then makes the tenant's webhooks due.
 */
public final class DeliverWebhooks {

    /** How many deliveries of a webhook are kept. */
    public static final int KEPT_DELIVERIES = 1000;

    private static final int LOOKED_AT = 200;
    private static final int GONE = 410;
    // Clocks of servers may differ by the rest.
    private static final Duration CLAIM = WebhookSender.LONGEST_TRY.multipliedBy(2);

    private final Ports ports;
    private final WebhookSender sender;

    public DeliverWebhooks(Ports ports, WebhookSender sender) {
        this.ports = ports;
        this.sender = sender;
    }

    /** An event that is owed; absent when the log has none of its kind up to {@code looked}. */
    private record Owed(Optional<AuditEvent> event, long looked) {}

    /** Makes the idle webhooks due of tenants that have had events since. */
    public void wakeIdle() {
        AllRows.in(ports.store(), Range.entriesStartingWith(Tables.TENANTS, Tables.TENANTS_BY_NEWS, ""))
                .forEach(hit -> wakeIdle(new TenantId(hit.key())));
    }

    private void wakeIdle(TenantId tenant) {
        Instant now = ports.clock().instant();
        var webhooks = ports.store().read(tx -> PutWebhook.all(tx, tenant)).stream()
                .map(Webhook::key)
                .toList();
        List<RowRef<?, ?>> reads = new ArrayList<>();
        reads.add(Tables.TENANTS.row(tenant));
        webhooks.forEach(key -> reads.add(Tables.WEBHOOKS.row(key)));
        ports.store().<Void>transact(reads, tx -> {
            var state = tx.get(Tables.TENANTS, tenant);
            // One that was added since is due from the beginning.
            for (var key : webhooks) {
                tx.find(Tables.WEBHOOKS, key)
                        .filter(webhook -> webhook.isIdleBefore(state.audit().seq()))
                        .ifPresent(webhook -> tx.update(Tables.WEBHOOKS, key, webhook.dueAt(now)));
            }
            if (state.webhooks().newsSince().isPresent()) {
                tx.update(Tables.TENANTS, tenant, state.withoutNews());
            }
            return null;
        });
    }

    /** All webhooks that may be tried now, those first that have been due for longest; read as far as the stream is consumed. */
    public Stream<Webhook.Key> due() {
        // What is due exactly now is due.
        String end = Tables.dueEntry(ports.clock().instant().plusNanos(1000));
        return AllRows.in(ports.store(), Range.entriesUpTo(Tables.WEBHOOKS, Tables.WEBHOOKS_BY_DUE, "", end))
                .map(hit -> hit.row().key());
    }

    /** Deals with the next event; returns whether there may be more to do now. */
    public boolean deliver(Webhook.Key key) {
        var found = ports.store().find(Tables.WEBHOOKS, key);
        if (found.isEmpty() || !found.get().isDue(ports.clock().instant())) {
            return false;
        }
        var webhook = found.get();
        var owed = owed(webhook);
        if (owed.event().isEmpty()) {
            return skip(webhook, owed.looked());
        }
        var tried = webhook.triedUntil(ports.clock().instant().plus(CLAIM));
        boolean mine = ports.store().transact(reads(key), tx -> replace(tx, webhook, tried));
        return mine && told(tried, owed.event().get());
    }

    private boolean told(Webhook webhook, AuditEvent event) {
        var chained = Json.parse(event.chained()) instanceof JsonObject json ? json : JsonObject.EMPTY;
        var outcome = sender.send(webhook, message(chained));
        Instant now = ports.clock().instant();
        return ports.store().transact(reads(webhook.key()), tx -> {
            var next = idleAtEnd(tx, after(webhook, event, outcome, now));
            // A change or a removal meanwhile counts; at worst the event is told again.
            if (!replace(tx, webhook, next)) {
                return false;
            }
            note(tx, webhook, event, chained, outcome, next, now);
            return next.isDue(now);
        });
    }

    private static Webhook after(Webhook webhook, AuditEvent event, Outcome outcome, Instant now) {
        return switch (outcome) {
            case Outcome.Answered(var status) when status >= 200 && status < 300 -> webhook.through(event.seq(), now);
            case Outcome.Answered(var status) when status == GONE -> webhook.stopped("the address answered 410 Gone");
            case Outcome.Answered _, Outcome.Failed _ ->
                webhook.failed(now).orElseGet(() -> webhook.through(event.seq(), now));
        };
    }

    private static void note(
            Tx tx, Webhook webhook, AuditEvent event, JsonObject chained, Outcome outcome, Webhook next, Instant now) {
        boolean good = outcome instanceof Outcome.Answered(var status) && status >= 200 && status < 300;
        boolean past = next.place() >= event.seq();
        var status = good ? Delivery.Status.DELIVERED : past ? Delivery.Status.GIVEN_UP : Delivery.Status.RETRYING;
        var key = new Delivery.Key(webhook.key(), webhook.deliveries() + 1);
        tx.put(
                Tables.WEBHOOK_DELIVERIES,
                key,
                new Delivery(
                        key,
                        event.seq(),
                        chained.string("id").orElse(""),
                        chained.string("type").orElse(""),
                        status,
                        webhook.failures() + 1,
                        outcome instanceof Outcome.Answered(var code) ? Optional.of(code) : Optional.empty(),
                        outcome instanceof Outcome.Failed(var why) ? Optional.of(why) : Optional.empty(),
                        now));
        var old = new Delivery.Key(webhook.key(), key.number() - KEPT_DELIVERIES);
        if (old.number() > 0 && tx.find(Tables.WEBHOOK_DELIVERIES, old).isPresent()) {
            tx.delete(Tables.WEBHOOK_DELIVERIES, old);
        }
    }

    private boolean skip(Webhook webhook, long seq) {
        Instant now = ports.clock().instant();
        return ports.store().transact(reads(webhook.key()), tx -> {
            var next = idleAtEnd(tx, webhook.skippedTo(seq, now));
            // While a database is behind, the head may be newer than what can be listed.
            boolean waits = next.isDue(now) && seq == webhook.place();
            return !waits && replace(tx, webhook, next) && next.isDue(now);
        });
    }

    // The head is read in the same transaction, so an event after it finds the webhook idle and marks the tenant.
    private static Webhook idleAtEnd(Tx tx, Webhook webhook) {
        long head = tx.find(Tables.TENANTS, webhook.key().tenant())
                .map(TenantState::audit)
                .orElse(AuditHead.NONE)
                .seq();
        return webhook.place() >= head ? webhook.idle() : webhook;
    }

    /** Whether it was still as it was. */
    private static boolean replace(Tx tx, Webhook before, Webhook after) {
        boolean unchanged = tx.find(Tables.WEBHOOKS, before.key()).equals(Optional.of(before));
        if (unchanged && !after.equals(before)) {
            tx.update(Tables.WEBHOOKS, before.key(), after);
        }
        return unchanged;
    }

    private static List<RowRef<?, ?>> reads(Webhook.Key key) {
        return List.of(Tables.WEBHOOKS.row(key), Tables.TENANTS.row(key.tenant()));
    }

    private Owed owed(Webhook webhook) {
        var tenant = webhook.key().tenant();
        return ports.store().read(tx -> {
            var events = AuditLog.after(tx, tenant, webhook.place(), LOOKED_AT);
            var wanted = events.stream()
                    .filter(event -> webhook.target().wants(type(event)))
                    .findFirst();
            return new Owed(
                    wanted,
                    events.isEmpty() ? webhook.place() : events.getLast().seq());
        });
    }

    private static String type(AuditEvent event) {
        return Json.parse(event.chained()) instanceof JsonObject json
                ? json.string("type").orElse("")
                : "";
    }

    private static Message message(JsonObject chained) {
        var data = JsonObject.builder();
        for (String name : List.of("seq", "actor", "subject")) {
            data.putValue(name, chained.get(name));
        }
        var body = JsonObject.builder()
                .put("type", chained.string("type").orElse(""))
                .put("timestamp", chained.string("ts").orElse(""))
                .put("data", data.build())
                .build();
        return new Message(chained.string("id").orElse(""), Json.write(body));
    }
}
