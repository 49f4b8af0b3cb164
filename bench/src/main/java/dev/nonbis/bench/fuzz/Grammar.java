package dev.nonbis.bench.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The requests that an OpenAPI document describes. */
final class Grammar {

    private static final Set<String> METHODS = Set.of("get", "post", "put", "delete");

    private final JsonNode document;

    Grammar(JsonNode document) {
        this.document = document;
    }

    /** One operation: what may be sent. */
    record Operation(String method, String path, List<JsonNode> parameters, Optional<Body> body) {}

    /** What a body looks like, and bodies that the document shows. */
    record Body(JsonNode schema, List<JsonNode> examples) {}

    List<Operation> operations() {
        var all = new ArrayList<Operation>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(entry -> {
                    if (METHODS.contains(entry.getKey())) {
                        var parameters = new ArrayList<JsonNode>();
                        path.getValue().path("parameters").forEach(one -> parameters.add(resolved(one)));
                        entry.getValue().path("parameters").forEach(one -> parameters.add(resolved(one)));
                        var content =
                                resolved(entry.getValue().path("requestBody")).path("content");
                        all.add(new Operation(
                                entry.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                parameters,
                                body(content.path("application/json"))));
                    }
                }));
        return all;
    }

    private static Optional<Body> body(JsonNode content) {
        if (content.path("schema").isMissingNode()) {
            return Optional.empty();
        }
        var examples = new ArrayList<JsonNode>();
        content.path("examples").forEach(example -> examples.add(example.path("value")));
        return Optional.of(new Body(content.path("schema"), examples));
    }

    /** What a reference stands for; anything else as it is. */
    JsonNode resolved(JsonNode node) {
        var reference = node.path("$ref").asString("");
        return reference.startsWith("#") ? resolved(document.at(reference.substring(1))) : node;
    }
}
