package dev.nonbis.server.api;

import dev.nonbis.core.audit.EventTypes;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.PutWebhook;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.webhook.Delivery;
import dev.nonbis.core.webhook.Webhook;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Access;
import dev.nonbis.server.http.Body;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Method;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.Response;
import dev.nonbis.server.http.Route;
import dev.nonbis.server.webhook.Addresses;
import dev.nonbis.server.webhook.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Webhooks over HTTP, for operators. */
public final class WebhooksApi {

    private static final int SHOWN_DELIVERIES = 100;
    private static final int MAX_TYPES = 50;

    private final Ports ports;
    private final PutWebhook putWebhook;
    private final Addresses addresses;

    private WebhooksApi(Ports ports, Addresses addresses) {
        this.ports = ports;
        this.putWebhook = new PutWebhook(ports);
        this.addresses = addresses;
    }

    public static List<Route> routes(Ports ports, Addresses addresses) {
        var api = new WebhooksApi(ports, addresses);
        var operator = Access.anyOf(Role.OPERATOR);
        return List.of(
                new Route(Method.GET, "/api/v1/webhooks", operator, "listWebhooks", api::list),
                new Route(Method.PUT, "/api/v1/webhooks/{id}", operator, "putWebhook", api::put),
                new Route(Method.DELETE, "/api/v1/webhooks/{id}", operator, "deleteWebhook", api::delete),
                new Route(Method.GET, "/api/v1/webhooks/{id}/deliveries", operator, "listDeliveries", api::deliveries));
    }

    private Response put(Call call) {
        String id = call.request().pathParam("id");
        if (!Webhook.isValidId(id)) {
            throw new Refusal(Problem.of(
                    ProblemCode.INVALID_FIELD,
                    "A webhook's name is 1 to 63 of letters, digits, _ and -, and starts with a letter or digit."));
        }
        var body = Body.object(call, Set.of("url", "types"));
        String url = body.string("url");
        addresses.complaint(url).ifPresent(why -> {
            throw Refusal.at("/url", ProblemCode.INVALID_FIELD, "The URL " + why + ".");
        });
        var target = new Webhook.Target(url, types(body));
        return switch (putWebhook.put(call.actor(), id, target, Signature.newSecret())) {
            case PutWebhook.Result.Stored(var webhook) -> stored(webhook, "stored");
            case PutWebhook.Result.Unchanged(var webhook) -> stored(webhook, "unchanged");
            case PutWebhook.Result.TooMany() ->
                throw new Refusal(Problem.of(
                        ProblemCode.INVALID_FIELD, "A tenant has at most " + PutWebhook.MOST + " webhooks."));
        };
    }

    private Response list(Call call) {
        var items = ports.store().read(tx -> PutWebhook.all(tx, call.actor().tenant())).stream()
                .<JsonValue>map(webhook -> view(webhook).build())
                .toList();
        return Response.json(
                200, JsonObject.builder().put("items", new JsonArray(items)).build());
    }

    private Response delete(Call call) {
        String id = call.request().pathParam("id");
        if (!putWebhook.delete(call.actor(), id)) {
            throw notFound();
        }
        return Response.json(
                200,
                JsonObject.builder()
                        .put("webhook_id", id)
                        .put("status", "deleted")
                        .build());
    }

    private Response deliveries(Call call) {
        var key = new Webhook.Key(call.actor().tenant(), call.request().pathParam("id"));
        return ports.store().read(tx -> {
            if (tx.find(Tables.WEBHOOKS, key).isEmpty()) {
                throw notFound();
            }
            var items = tx
                    .scan(Range.keysStartingWith(Tables.WEBHOOK_DELIVERIES, key.tenant() + "/" + key.id() + "/")
                            .newestFirst()
                            .limit(SHOWN_DELIVERIES))
                    .stream()
                    .<JsonValue>map(hit -> view(hit.row()))
                    .toList();
            return Response.json(
                    200, JsonObject.builder().put("items", new JsonArray(items)).build());
        });
    }

    private static List<String> types(Body body) {
        var types = new ArrayList<String>();
        for (var item : body.optionalArray("types").map(JsonArray::items).orElse(List.of())) {
            if (!(item instanceof JsonString(var type)) || !EventTypes.ALL.contains(type)) {
                throw Refusal.at(
                        "/types/" + types.size(),
                        ProblemCode.INVALID_FIELD,
                        "Expected a type of event, such as approval.approved.");
            }
            if (types.size() == MAX_TYPES) {
                throw Refusal.at("/types", ProblemCode.INVALID_FIELD, "Expected at most " + MAX_TYPES + " types.");
            }
            types.add(type);
        }
        return types;
    }

    private static Response stored(Webhook webhook, String status) {
        return Response.json(
                200,
                view(webhook)
                        .put("status", status)
                        .put("secret", webhook.secret())
                        .build());
    }

    private static JsonObject.Builder view(Webhook webhook) {
        return JsonObject.builder()
                .put("webhook_id", webhook.key().id())
                .put("url", webhook.target().url())
                .put("types", JsonArray.ofStrings(webhook.target().types()))
                .put("told_through", webhook.place())
                .put("failures", webhook.failures())
                .putString("stopped", webhook.stopped());
    }

    private static JsonObject view(Delivery delivery) {
        var json = JsonObject.builder()
                .put("seq", delivery.seq())
                .put("event_id", delivery.eventId())
                .put("type", delivery.type())
                .put("status", delivery.status().word())
                .put("attempts", delivery.attempts());
        delivery.answer().ifPresent(status -> json.put("answer", status));
        return json.putString("trouble", delivery.trouble())
                .put("at", Timestamps.format(delivery.at()))
                .build();
    }

    private static Refusal notFound() {
        return new Refusal(Problem.of(ProblemCode.NOT_FOUND, "There is no webhook of this name."));
    }
}
