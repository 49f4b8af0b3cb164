package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.store.Range;
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
import java.util.List;
import java.util.Optional;

/**
 * Tells events to webhooks, each at least once and in order. The log is the outbox: an event is owed as soon as it is committed, and until
 * an answer to it is. A try is written down before it is made, so that two servers do not make the same one.
 */
public final class DeliverWebhooks {

    private static final int LOOKED_AT = 200;
    private static final int MAX_WEBHOOKS = 1000;
    private static final int KEPT_DELIVERIES = 1000;
    private static final int GONE = 410;
    // Longer than any try may take.
    private static final Duration ONE_TRY = Duration.ofMinutes(1);

    private final Ports ports;
    private final WebhookSender sender;

    public DeliverWebhooks(Ports ports, WebhookSender sender) {
        this.ports = ports;
        this.sender = sender;
    }

    /** An event that is owed; absent when the log has none of its kind up to {@code looked}. */
    private record Owed(Optional<AuditEvent> event, long looked) {}

    /** Webhooks to which something is owed that may be tried now. */
    public List<Webhook> due() {
        Instant now = ports.clock().instant();
        return ports.store()
                .read(tx -> tx.scan(Range.keysStartingWith(Tables.WEBHOOKS, "").limit(MAX_WEBHOOKS)).stream()
                        .map(Range.Hit::row)
                        .filter(webhook -> webhook.isDue(now))
                        .filter(webhook -> tx.find(Tables.TENANTS, webhook.key().tenant())
                                        .orElse(TenantState.NEW)
                                        .audit()
                                        .seq()
                                > webhook.place())
                        .toList());
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
            return owed.looked() > webhook.place() && skipTo(webhook, owed.looked());
        }
        Instant until = ports.clock().instant().plus(ONE_TRY);
        var tried = webhook.triedUntil(until);
        boolean mine = ports.store().transact(List.of(Tables.WEBHOOKS.row(key)), tx -> {
            boolean unchanged = tx.find(Tables.WEBHOOKS, key).equals(Optional.of(webhook));
            if (unchanged) {
                tx.update(Tables.WEBHOOKS, key, tried);
            }
            return unchanged;
        });
        return mine && told(tried, owed.event().get());
    }

    private boolean told(Webhook webhook, AuditEvent event) {
        var chained = Json.parse(event.chained()) instanceof JsonObject json ? json : JsonObject.EMPTY;
        var outcome = sender.send(webhook, message(chained));
        Instant now = ports.clock().instant();
        return ports.store().transact(List.of(Tables.WEBHOOKS.row(webhook.key())), tx -> {
            // Whoever has changed or removed it meanwhile is right; at worst the event is told again.
            if (!tx.find(Tables.WEBHOOKS, webhook.key()).equals(Optional.of(webhook))) {
                return false;
            }
            var next = after(webhook, event, outcome, now);
            tx.update(Tables.WEBHOOKS, webhook.key(), next);
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
        var key = new Delivery.Key(webhook.key(), event.seq());
        tx.put(
                Tables.WEBHOOK_DELIVERIES,
                key,
                new Delivery(
                        key,
                        chained.string("id").orElse(""),
                        chained.string("type").orElse(""),
                        status,
                        webhook.failures() + 1,
                        outcome instanceof Outcome.Answered(var code) ? Optional.of(code) : Optional.empty(),
                        outcome instanceof Outcome.Failed(var why) ? Optional.of(why) : Optional.empty(),
                        now));
        var old = new Delivery.Key(webhook.key(), event.seq() - KEPT_DELIVERIES);
        if (tx.find(Tables.WEBHOOK_DELIVERIES, old).isPresent()) {
            tx.delete(Tables.WEBHOOK_DELIVERIES, old);
        }
    }

    private boolean skipTo(Webhook webhook, long seq) {
        Instant now = ports.clock().instant();
        return ports.store().transact(List.of(Tables.WEBHOOKS.row(webhook.key())), tx -> {
            boolean unchanged = tx.find(Tables.WEBHOOKS, webhook.key()).equals(Optional.of(webhook));
            if (unchanged) {
                tx.update(Tables.WEBHOOKS, webhook.key(), webhook.through(seq, now));
            }
            return unchanged;
        });
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
