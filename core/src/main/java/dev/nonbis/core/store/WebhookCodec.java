package dev.nonbis.core.store;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.webhook.Delivery;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.List;

/** Webhooks and their deliveries as rows. */
final class WebhookCodec {

    private WebhookCodec() {}

    static byte[] encode(Webhook webhook) {
        var json = JsonObject.builder()
                .put("tenant", webhook.key().tenant().value())
                .put("id", webhook.key().id())
                .put("url", webhook.target().url())
                .put("types", JsonArray.ofStrings(webhook.target().types()))
                .put("secret", webhook.secret())
                .put("place", webhook.place())
                .put("failures", webhook.failures())
                .put("deliveries", webhook.deliveries());
        webhook.nextAt().ifPresent(at -> json.put("next_at", Timestamps.micros(at)));
        return Json.write(json.putString("stopped", webhook.stopped()).build());
    }

    static Webhook decodeWebhook(byte[] body) {
        var row = new Row(body);
        List<String> types = row.json().array("types").map(JsonArray::items).orElse(List.of()).stream()
                .filter(JsonString.class::isInstance)
                .map(item -> ((JsonString) item).value())
                .toList();
        return new Webhook(
                new Webhook.Key(new TenantId(row.string("tenant")), row.string("id")),
                new Webhook.Target(row.string("url"), types),
                row.string("secret"),
                row.integer("place"),
                (int) row.integer("failures"),
                row.integer("deliveries"),
                row.time("next_at"),
                row.json().string("stopped"));
    }

    static byte[] encode(Delivery delivery) {
        var json = JsonObject.builder()
                .put("tenant", delivery.key().webhook().tenant().value())
                .put("webhook", delivery.key().webhook().id())
                .put("number", delivery.key().number())
                .put("seq", delivery.seq())
                .put("event", delivery.eventId())
                .put("type", delivery.type())
                .put("status", delivery.status().name())
                .put("attempts", delivery.attempts());
        delivery.answer().ifPresent(status -> json.put("answer", status));
        return Json.write(json.putString("trouble", delivery.trouble())
                .put("at", Timestamps.micros(delivery.at()))
                .build());
    }

    static Delivery decodeDelivery(byte[] body) {
        var row = new Row(body);
        return new Delivery(
                new Delivery.Key(
                        new Webhook.Key(new TenantId(row.string("tenant")), row.string("webhook")),
                        row.integer("number")),
                row.integer("seq"),
                row.string("event"),
                row.string("type"),
                Delivery.Status.valueOf(row.string("status")),
                (int) row.integer("attempts"),
                row.json().integer("answer").map(Long::intValue),
                row.json().string("trouble"),
                row.instant("at"));
    }
}
