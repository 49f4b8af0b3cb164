package dev.nonbis.bench.fuzz;

import dev.nonbis.bench.http.Call.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;

/** Makes the headers of a request: those that the document describes, in good, bad and odd forms, and types of content. */
final class Headers {

    // The same few keys again and again in both forms, so that some are repeated; then what is no key, or hardly one.
    private static final List<String> ODD_KEYS = List.of(
            "",
            "\"",
            "\"\"",
            "\"open",
            "shut\"",
            "two words",
            "\"two words\"",
            "\"with \\\"quotes\\\"\"",
            "\"bad \\escape\"",
            "\"a\";p=1",
            "\"a\", \"b\"",
            "a,b",
            ":YWJj:",
            "?1",
            "1.5",
            "k\u00e9y",
            "\t",
            "k".repeat(255),
            "k".repeat(256),
            "\"" + "k".repeat(5000) + "\"");

    private static final List<String> TENANTS = List.of("acme", "acme", "globex", "nobody", "", "ACME", "acme,globex");

    private static final List<String> TRACES = List.of(
            "00-7d3c1a9e5b8f4260a1c4e7d90b2f6e83-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-0000000000000000-00",
            "ff-7d3c1a9e5b8f4260a1c4e7d90b2f6e83-00f067aa0ba902b7-01",
            "00-7D3C1A9E5B8F4260A1C4E7D90B2F6E83-00F067AA0BA902B7-01",
            "00-7d3c",
            "-",
            "");

    private static final List<String> TYPES = List.of(
            "application/json; charset=utf-8",
            "APPLICATION/JSON",
            "application/json; charset=utf-16",
            "application/problem+json",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "text/plain",
            "json",
            "/",
            "");

    private final Sentences sentences;
    private final SplittableRandom chance;

    Headers(Sentences sentences, SplittableRandom chance) {
        this.sentences = sentences;
        this.chance = chance;
    }

    List<Header> of(List<JsonNode> parameters) {
        var headers = new ArrayList<Header>();
        for (var parameter : parameters) {
            if (parameter.path("in").asString("").equals("header")) {
                add(headers, parameter.path("name").asString(""), parameter.path("schema"));
            }
        }
        if (chance.nextInt(20) == 0) {
            headers.add(new Header("Content-Type", any(TYPES)));
        }
        return headers;
    }

    private void add(List<Header> headers, String name, JsonNode schema) {
        switch (name) {
            case "Idempotency-Key" -> {
                if (chance.nextInt(4) > 0) {
                    headers.add(new Header(name, key()));
                }
                if (chance.nextInt(60) == 0) {
                    headers.add(new Header(name, key()));
                }
            }
            case "X-Tenant-ID" -> sometimes(headers, name, any(TENANTS));
            case "traceparent" -> sometimes(headers, name, any(TRACES));
            default -> sometimes(headers, name, visible(sentences.word(schema)));
        }
    }

    private void sometimes(List<Header> headers, String name, String value) {
        if (chance.nextInt(8) == 0) {
            headers.add(new Header(name, value));
        }
    }

    private String key() {
        var name = "key-" + chance.nextInt(12);
        return switch (chance.nextInt(6)) {
            case 0 -> any(ODD_KEYS);
            case 1, 2 -> name;
            default -> '"' + name + '"';
        };
    }

    private String any(List<String> some) {
        return some.get(chance.nextInt(some.size()));
    }

    // What ends a line would be another request, and not one of these.
    private static String visible(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
