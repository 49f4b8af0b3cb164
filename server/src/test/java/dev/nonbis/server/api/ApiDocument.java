package dev.nonbis.server.api;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The served OpenAPI document, with what tests ask of it. */
final class ApiDocument {

    private static final String META_SCHEMA = "https://spec.openapis.org/oas/3.1/schema-base/2022-10-07";

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaIdResolvers(
                    ids -> ids.mapPrefix("https://spec.openapis.org", "classpath:spec.openapis.org")));
    private final Map<JsonValue, Schema> schemas = new HashMap<>();
    private final JsonObject root;

    ApiDocument(JsonObject root) {
        this.root = root;
    }

    JsonObject root() {
        return root;
    }

    /** What the OpenAPI specification's own schema has to say against the document. */
    List<String> complaints() {
        return errors(registry.getSchema(SchemaLocation.of(META_SCHEMA)), root);
    }

    List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        object(root, "paths")
                .members()
                .forEach((path, item) -> ((JsonObject) item).members().forEach((name, value) -> {
                    if (!name.equals("parameters")) {
                        operations.add(new Operation(path, name, (JsonObject) item, (JsonObject) value));
                    }
                }));
        return operations;
    }

    Operation operation(String id) {
        return operations().stream()
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    JsonObject schema(String name) {
        return object(object(object(root, "components"), "schemas"), name);
    }

    /** What the value has that the schema does not allow. */
    List<String> misfits(JsonValue schema, JsonValue value) {
        return errors(schemas.computeIfAbsent(schema, this::compiled), value);
    }

    /** Every object of the document, with the pointer to it. */
    void forEachObject(BiConsumer<String, JsonObject> visitor) {
        visit("", root, visitor);
    }

    private Schema compiled(JsonValue schema) {
        var standalone = JsonObject.builder()
                .put("allOf", new JsonArray(List.of(schema)))
                .put("components", object(root, "components"))
                .build();
        return registry.getSchema(text(standalone), InputFormat.JSON);
    }

    private static List<String> errors(Schema schema, JsonValue value) {
        return schema.validate(text(value), InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }

    private static void visit(String at, JsonValue value, BiConsumer<String, JsonObject> visitor) {
        if (value instanceof JsonObject object) {
            visitor.accept(at, object);
            object.members().forEach((name, member) -> visit(at + "/" + name, member, visitor));
        } else if (value instanceof JsonArray array) {
            for (int i = 0; i < array.items().size(); i++) {
                visit(at + "/" + i, array.items().get(i), visitor);
            }
        }
    }

    private JsonObject resolved(JsonValue value) {
        var object = (JsonObject) value;
        if (object.string("$ref").isEmpty()) {
            return object;
        }
        var found = root;
        for (String name : object.string("$ref").get().substring(2).split("/", -1)) {
            found = object(found, name);
        }
        return found;
    }

    static JsonObject object(JsonObject parent, String name) {
        return parent.object(name).orElseThrow(() -> new AssertionError("no object " + name + " in " + parent));
    }

    static List<String> strings(JsonObject parent, String name) {
        return parent.array(name).orElseThrow(() -> new AssertionError("no " + name + " in " + parent)).items().stream()
                .map(item -> ((JsonString) item).value())
                .toList();
    }

    private static <T> T named(String name, Map<String, T> all) {
        return Optional.ofNullable(all.get(name))
                .orElseThrow(() -> new AssertionError("no " + name + " among " + all.keySet()));
    }

    private static String text(JsonValue value) {
        return new String(Json.write(value), StandardCharsets.UTF_8);
    }

    private static Map<String, JsonValue> examples(JsonObject mediaType) {
        var examples = new LinkedHashMap<String, JsonValue>();
        mediaType
                .object("examples")
                .ifPresent(all -> all.members()
                        .forEach((name, example) -> examples.put(
                                name, ((JsonObject) example).get("value").orElseThrow())));
        return examples;
    }

    /** One method of one path. */
    final class Operation {

        final String path;
        final String method;
        private final JsonObject item;
        final JsonObject json;

        private Operation(String path, String method, JsonObject item, JsonObject json) {
            this.path = path;
            this.method = method.toUpperCase(java.util.Locale.ROOT);
            this.item = item;
            this.json = json;
        }

        String id() {
            return json.string("operationId").orElseThrow();
        }

        boolean isOpen() {
            return json.array("security").isPresent();
        }

        boolean hasBody() {
            return json.has("requestBody");
        }

        List<JsonObject> parameters(String in) {
            var all = new ArrayList<JsonObject>();
            for (var from : List.of(item, json)) {
                from.array("parameters").ifPresent(list -> list.items().forEach(one -> all.add(resolved(one))));
            }
            return all.stream()
                    .filter(one -> one.string("in").orElseThrow().equals(in))
                    .toList();
        }

        JsonObject requestSchema() {
            return object(requestType(), "schema");
        }

        Map<String, JsonValue> requestExamples() {
            return hasBody() ? examples(requestType()) : Map.of();
        }

        JsonValue requestExample(String name) {
            return named(name, requestExamples());
        }

        Answer response(String status) {
            return named(status, responses());
        }

        /** By status, or {@code default}. */
        Map<String, Answer> responses() {
            var responses = new LinkedHashMap<String, Answer>();
            object(json, "responses")
                    .members()
                    .forEach((status, value) -> responses.put(status, new Answer(resolved(value))));
            return responses;
        }

        private JsonObject requestType() {
            return object(object(object(json, "requestBody"), "content"), "application/json");
        }

        @Override
        public String toString() {
            return id();
        }
    }

    /** What is said of one status. */
    record Answer(JsonObject json) {

        Map<String, JsonValue> content() {
            return object(json, "content").members();
        }

        JsonObject schema(String contentType) {
            return object(object(object(json, "content"), contentType), "schema");
        }

        Map<String, JsonValue> examples(String contentType) {
            return ApiDocument.examples(object(object(json, "content"), contentType));
        }

        JsonObject example(String name) {
            return (JsonObject) named(name, examples("application/json"));
        }

        boolean hasHeader(String name) {
            return object(json, "headers").has(name);
        }
    }
}
