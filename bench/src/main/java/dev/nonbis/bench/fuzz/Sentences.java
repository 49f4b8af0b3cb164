package dev.nonbis.bench.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes JSON texts out of schemas: mostly such as fit, and some that are wrong in one place. */
final class Sentences {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int DEEPEST = 6;

    // Each has broken some parser somewhere.
    private static final List<String> NASTY = List.of(
            "null",
            "true",
            "-0",
            "1e400",
            "9007199254740993",
            "-1",
            "0.1e-400",
            "[]",
            "{}",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\uffff\"",
            "\"../../etc/passwd\"",
            "\"' OR 1=1 --\"",
            "\"${jndi:ldap://x}\"",
            "{\"a\":1,\"a\":2}",
            "\"" + "x".repeat(5000) + "\"",
            "[".repeat(80) + "]".repeat(80),
            "1".repeat(400));

    private final Grammar grammar;
    private final SplittableRandom chance;

    Sentences(Grammar grammar, SplittableRandom chance) {
        this.grammar = grammar;
        this.chance = chance;
    }

    /** A text for the schema, or one that the document shows; now and then cut off, or not JSON at all. */
    String body(Grammar.Body body) {
        boolean shown = !body.examples().isEmpty() && chance.nextInt(3) == 0;
        var text = shown
                ? body.examples().get(chance.nextInt(body.examples().size())).toString()
                : value(body.schema(), 0);
        return switch (chance.nextInt(30)) {
            case 0 -> text.substring(0, chance.nextInt(text.length() + 1));
            case 1 -> text + "x";
            case 2 -> text.replace('"', '\'');
            case 3 -> "\ufeff" + text;
            default -> text;
        };
    }

    /** A plain text for a parameter. */
    String word(JsonNode schema) {
        var quoted = value(schema, 0);
        var text = quoted.startsWith("\"") ? quoted.substring(1, quoted.length() - 1) : quoted;
        return text.length() > 300 ? text.substring(0, 300) : text;
    }

    private String value(JsonNode reference, int depth) {
        if (chance.nextInt(25) == 0) {
            return NASTY.get(chance.nextInt(NASTY.size()));
        }
        var schema = grammar.resolved(reference);
        for (var choice : List.of("oneOf", "anyOf", "allOf")) {
            if (!schema.path(choice).isEmpty()) {
                return value(
                        schema.path(choice)
                                .path(chance.nextInt(schema.path(choice).size())),
                        depth);
            }
        }
        if (schema.has("const")) {
            return schema.path("const").toString();
        }
        if (!schema.path("enum").isEmpty()) {
            return schema.path("enum")
                    .path(chance.nextInt(schema.path("enum").size()))
                    .toString();
        }
        if (schema.has("example") && chance.nextInt(3) > 0) {
            return schema.path("example").toString();
        }
        if (!schema.path("examples").isEmpty() && chance.nextInt(3) > 0) {
            return schema.path("examples").path(0).toString();
        }
        return ofType(schema, type(schema), depth);
    }

    private String type(JsonNode schema) {
        var type = schema.path("type");
        return type.isArray()
                ? type.path(chance.nextInt(type.size())).asString("string")
                : type.asString(schema.has("properties") ? "object" : "string");
    }

    private String ofType(JsonNode schema, String type, int depth) {
        return switch (type) {
            case "object" -> depth > DEEPEST ? "{}" : object(schema, depth);
            case "array" -> depth > DEEPEST ? "[]" : array(schema, depth);
            case "integer" -> Long.toString(number(schema));
            case "number" -> Double.toString(chance.nextDouble() * 100);
            case "boolean" -> Boolean.toString(chance.nextBoolean());
            case "null" -> "null";
            default -> JSON.writeValueAsString(text());
        };
    }

    private String object(JsonNode schema, int depth) {
        var members = new ArrayList<String>();
        var required = new ArrayList<String>();
        schema.path("required").forEach(name -> required.add(name.asString()));
        schema.path("properties").properties().forEach(member -> {
            boolean wanted = required.contains(member.getKey()) ? chance.nextInt(40) > 0 : chance.nextBoolean();
            if (wanted) {
                members.add(JSON.writeValueAsString(member.getKey()) + ":" + value(member.getValue(), depth + 1));
            }
        });
        if (chance.nextInt(15) == 0 || members.isEmpty()) {
            members.add(JSON.writeValueAsString(text()) + ":" + NASTY.get(chance.nextInt(NASTY.size())));
        }
        return "{" + String.join(",", members) + "}";
    }

    private String array(JsonNode schema, int depth) {
        var items = new ArrayList<String>();
        for (int i = chance.nextInt(4); i > 0; i--) {
            items.add(value(schema.path("items"), depth + 1));
        }
        return "[" + String.join(",", items) + "]";
    }

    private long number(JsonNode schema) {
        long least = schema.path("minimum").asLong(0);
        return switch (chance.nextInt(6)) {
            case 0 -> least;
            case 1 -> least - 1;
            case 2 -> schema.path("maximum").asLong(Long.MAX_VALUE);
            case 3 -> Long.MIN_VALUE;
            default -> least + chance.nextInt(1000);
        };
    }

    private String text() {
        var text = new StringBuilder();
        for (int i = chance.nextInt(12); i > 0; i--) {
            text.appendCodePoint(
                    switch (chance.nextInt(8)) {
                        case 0 -> chance.nextInt(32);
                        case 1 -> 0x1F600 + chance.nextInt(50);
                        case 2 -> 0xE000 + chance.nextInt(100);
                        default -> ' ' + 1 + chance.nextInt(94);
                    });
        }
        return text.toString();
    }
}
