package dev.nonbis.bench.sim;

import dev.nonbis.bench.judge.Export;
import dev.nonbis.bench.judge.Reading;
import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads everything over the API, as a user who may see all of a tenant. */
final class Exporter {

    private final Function<Request, Response> api;
    private final String tenant;

    Exporter(Function<Request, Response> api, String tenant) {
        this.api = api;
        this.tenant = tenant;
    }

    Export.OfTenant export() {
        return new Reading(this::get).export();
    }

    /** How many things are not at their end. */
    int unsettled() {
        return new Reading(this::get).unsettled();
    }

    void put(String path, String body) {
        ask("PUT", path, Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode get(String path, Map<String, String> query) {
        return ask("GET", path, query, new byte[0]);
    }

    private JsonNode ask(String method, String path, Map<String, String> query, byte[] body) {
        var parameters = new LinkedHashMap<String, List<String>>();
        query.forEach((name, value) -> parameters.put(name, List.of(value)));
        var headers = Map.of(
                "authorization",
                List.of("Bearer " + Configuration.token(tenant, "root")),
                "content-type",
                List.of("application/json"));
        var response =
                api.apply(new Request("req_" + "0".repeat(26), method, path, Map.of(), parameters, headers, body));
        if (response.status() >= 300) {
            throw new IllegalStateException(path + " answers " + new String(response.body(), StandardCharsets.UTF_8));
        }
        return JsonMapper.shared().readTree(response.body());
    }
}
