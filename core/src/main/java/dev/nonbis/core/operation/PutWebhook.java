package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.ReadTx;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.webhook.Delivery;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Keeps the addresses that a tenant wants to be told at. A new one is told what happens from then on. */
public final class PutWebhook {

    /** How many webhooks a tenant may have. */
    public static final int MOST = 100;

    private final Ports ports;

    public PutWebhook(Ports ports) {
        this.ports = ports;
    }

    /** How a call ended. */
    public sealed interface Result {

        record Stored(Webhook webhook) implements Result {}

        record Unchanged(Webhook webhook) implements Result {}

        record TooMany() implements Result {}
    }

    /** All webhooks of a tenant. */
    public static List<Webhook> all(ReadTx tx, TenantId tenant) {
        return tx.scan(Range.keysStartingWith(Tables.WEBHOOKS, tenant + "/").limit(MOST)).stream()
                .map(Range.Hit::row)
                .toList();
    }

    /**
     * Stores or changes a webhook.
     *
     * @param newSecret its secret, if it is a new one; one that exists keeps its own
     */
    public Result put(Actor actor, String id, Webhook.Target target, String newSecret) {
        Instant now = ports.clock().instant();
        var key = new Webhook.Key(actor.tenant(), id);
        return ports.store().transact(reads(key), tx -> {
            var before = tx.find(Tables.WEBHOOKS, key);
            if (before.isPresent()
                    && before.get().target().equals(target)
                    && before.get().stopped().isEmpty()) {
                return new Result.Unchanged(before.get());
            }
            var state = tx.find(Tables.TENANTS, key.tenant()).orElse(TenantState.NEW);
            int count = state.webhooks().count();
            if (before.isEmpty() && count >= MOST) {
                return new Result.TooMany();
            }
            var webhook = before.map(known -> known.aimedAt(target, now))
                    .orElseGet(() ->
                            Webhook.added(key, target, newSecret, state.audit().seq(), now));
            tx.put(Tables.WEBHOOKS, key, webhook);
            if (before.isEmpty()) {
                tx.put(Tables.TENANTS, key.tenant(), state.withWebhooks(count + 1));
            }
            var data = JsonObject.builder().put("url", target.urlWithoutQuery()).build();
            audit(tx, actor, "webhook.put", id, data, now);
            return new Result.Stored(webhook);
        });
    }

    /** Removes a webhook and its deliveries; whether there was one. */
    public boolean delete(Actor actor, String id) {
        Instant now = ports.clock().instant();
        var key = new Webhook.Key(actor.tenant(), id);
        List<RowRef<?, ?>> reads = new ArrayList<>(reads(key));
        ports.store()
                .find(Tables.WEBHOOKS, key)
                .ifPresent(webhook ->
                        deliveries(webhook).forEach(delivery -> reads.add(Tables.WEBHOOK_DELIVERIES.row(delivery))));
        return ports.store().transact(reads, tx -> {
            var webhook = tx.find(Tables.WEBHOOKS, key);
            if (webhook.isEmpty()) {
                return false;
            }
            deliveries(webhook.get())
                    .filter(delivery ->
                            tx.find(Tables.WEBHOOK_DELIVERIES, delivery).isPresent())
                    .forEach(delivery -> tx.delete(Tables.WEBHOOK_DELIVERIES, delivery));
            tx.delete(Tables.WEBHOOKS, key);
            var state = tx.get(Tables.TENANTS, key.tenant());
            tx.update(
                    Tables.TENANTS,
                    key.tenant(),
                    state.withWebhooks(state.webhooks().count() - 1));
            audit(tx, actor, "webhook.deleted", id, JsonObject.EMPTY, now);
            return true;
        });
    }

    /** All that may be there; the last is of the event that is tried. */
    private static Stream<Delivery.Key> deliveries(Webhook webhook) {
        long last = webhook.deliveries() + 1;
        return LongStream.rangeClosed(Math.max(1, last - DeliverWebhooks.KEPT_DELIVERIES), last)
                .mapToObj(number -> new Delivery.Key(webhook.key(), number));
    }

    private static void audit(Tx tx, Actor actor, String type, String id, JsonObject data, Instant now) {
        Audit.append(
                tx,
                actor.tenant(),
                new AuditEvent.Draft(now, type, actor.subject(), id, Optional.empty(), Optional.empty(), data));
    }

    private static List<RowRef<?, ?>> reads(Webhook.Key key) {
        return List.of(Tables.WEBHOOKS.row(key), Tables.TENANTS.row(key.tenant()));
    }
}
