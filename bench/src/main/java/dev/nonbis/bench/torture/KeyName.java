package dev.nonbis.bench.torture;

import java.nio.charset.StandardCharsets;

/** A key in its scope. Its number says everything about its request, so that the request can be made again at any time. */
record KeyName(String tenant, Operation operation, long number) {

    /** The same meaning in two texts, and another meaning. */
    enum Form {
        ORIGINAL,
        REORDERED,
        OTHER
    }

    /** Both tenants and both operations use the same texts. */
    String key() {
        return "k-" + number;
    }

    byte[] body(Form form) {
        var text = switch (operation) {
            case JOBS ->
                switch (form) {
                    case ORIGINAL -> """
                        {"topic":"job.default","prompt":"work %1$d of %2$s","input":{"n":%1$d,"deep":{"a":[1,2,3]}}}""";
                    case REORDERED -> """
                        {"input":{"deep":{"a":[1,2,3]}, "n":%1$d}, "prompt":"work %1$d of %2$s", "topic":"job.default"}""";
                    case OTHER -> """
                        {"topic":"job.default","prompt":"work %1$d of %2$s","input":{"n":%1$d,"deep":{"a":[1,2,4]}}}""";
                };
            case RUNS ->
                switch (form) {
                    case ORIGINAL -> """
                        {"input":{"n":%1$d,"who":"%2$s"}}""";
                    case REORDERED -> """
                        { "input": {"who":"%2$s", "n":%1$d} }""";
                    case OTHER -> """
                        {"input":{"n":%1$d,"who":"%2$s","more":true}}""";
                };
        };
        return text.formatted(number, tenant).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return tenant + "/" + operation + "/" + key();
    }
}
