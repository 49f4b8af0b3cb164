package dev.nonbis.bench.sim;

import dev.nonbis.server.http.Request;
import dev.nonbis.server.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API of one tenant for somebody who may do everything and whom no fault concerns. */
final class RootApi {

    private final Function<Request, Response> server;
    private final String tenant;

    RootApi(Function<Request, Response> server, String tenant) {
        this.server = server;
        this.tenant = tenant;
    }

    /** The answer to a GET of a path with its query. */
    JsonNode get(String target) {
        return ask("GET", target, new byte[0]);
    }

    void put(String path, String body) {
        ask("PUT", path, body.getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode ask(String method, String target, byte[] body) {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var parameters = new LinkedHashMap<String, List<String>>();
        if (mark >= 0) {
            for (var pair : target.substring(mark + 1).split("&", -1)) {
                var parts = pair.split("=", 2);
                parameters.put(parts[0], List.of(parts[1]));
            }
        }
        var headers = Map.of(
                "authorization",
                List.of("Bearer " + Configuration.token(tenant, "root")),
                "content-type",
                List.of("application/json"));
        var response =
                server.apply(new Request("req_" + "0".repeat(26), method, path, Map.of(), parameters, headers, body));
        if (response.status() >= 300) {
            throw new IllegalStateException(path + " answers " + new String(response.body(), StandardCharsets.UTF_8));
        }
        return JsonMapper.shared().readTree(response.body());
    }
}
