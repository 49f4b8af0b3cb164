package dev.nonbis.core.operation;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Tx;
import dev.nonbis.core.tenant.TenantState;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

    /**
     * Stores or changes a webhook.
     *
     * @param newSecret its secret, if it is a new one; one that exists keeps its own
     */
    public Result put(Actor actor, String id, Webhook.Target target, String newSecret) {
        Instant now = ports.clock().instant();
        var key = new Webhook.Key(actor.tenant(), id);
        boolean full = ports.store()
                        .read(tx -> tx.scan(Range.keysStartingWith(Tables.WEBHOOKS, actor.tenant() + "/")
                                .limit(MOST)))
                        .size()
                == MOST;
        return ports.store().transact(reads(key), tx -> {
            var before = tx.find(Tables.WEBHOOKS, key);
            if (before.isEmpty() && full) {
                return new Result.TooMany();
            }
            if (before.isPresent()
                    && before.get().target().equals(target)
                    && before.get().stopped().isEmpty()) {
                return new Result.Unchanged(before.get());
            }
            long head = tx.find(Tables.TENANTS, key.tenant())
                    .orElse(TenantState.NEW)
                    .audit()
                    .seq();
            var webhook = before.map(known -> known.aimedAt(target, now))
                    .orElseGet(() -> new Webhook(key, target, newSecret, head, 0, now, Optional.empty()));
            tx.put(Tables.WEBHOOKS, key, webhook);
            audit(
                    tx,
                    actor,
                    "webhook.put",
                    id,
                    JsonObject.builder().put("url", target.url()).build(),
                    now);
            return new Result.Stored(webhook);
        });
    }

    /** Whether there was one. */
    public boolean delete(Actor actor, String id) {
        Instant now = ports.clock().instant();
        var key = new Webhook.Key(actor.tenant(), id);
        return ports.store().transact(reads(key), tx -> {
            if (tx.find(Tables.WEBHOOKS, key).isEmpty()) {
                return false;
            }
            tx.delete(Tables.WEBHOOKS, key);
            audit(tx, actor, "webhook.deleted", id, JsonObject.EMPTY, now);
            return true;
        });
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
