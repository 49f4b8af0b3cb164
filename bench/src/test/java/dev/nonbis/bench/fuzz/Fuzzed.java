package dev.nonbis.bench.fuzz;

import dev.nonbis.core.idempotency.IdempotencyKey;
import dev.nonbis.core.payment.Envelope;
import dev.nonbis.core.run.WorkflowParser;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.policy.cel.CelExpressions;
import dev.nonbis.server.policy.cel.PolicyReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** What must hold for any bytes at all. The first byte says which reader gets the rest, unless one of them gets everything. */
public final class Fuzzed {

    private static final CelExpressions EXPRESSIONS = new CelExpressions();
    private static final JsonObject SCOPE = (JsonObject) Json.parse("""
            {"input":{"n":3,"text":"abc","list":[1,2,3,4,5,6,7,8],"more":true,"map":{"a":{"b":[1.5,null]}}},
             "steps":{"a":{"output":{"n":7,"words":["x","y","z"]}}}}
            """.getBytes(StandardCharsets.UTF_8));
    private static final Path FILE = Path.of("policy.yaml");

    // Whoever fuzzes one reader alone names it, so that each gets its share of all executions.
    private static final Optional<Reader> ONLY =
            Optional.ofNullable(System.getProperty(Reader.PROPERTY)).map(Reader::valueOf);

    private Fuzzed() {}

    /** Whatever reads bytes, and its share of a long campaign in percent: the quick ones get most. */
    enum Reader {
        JSON(50),
        HEADER(20),
        ENVELOPE(18),
        WORKFLOW(6),
        POLICY(3),
        EXPRESSION(3);

        static final String PROPERTY = "fuzz.reader";

        final int percent;

        Reader(int percent) {
            this.percent = percent;
        }
    }

    /** Called by the fuzzer again and again. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] rest = Arrays.copyOfRange(input, 1, input.length);
        switch (ONLY.orElseGet(() -> reader(input[0]))) {
            case JSON -> json(rest);
            case HEADER -> header(rest);
            case ENVELOPE -> envelope(rest);
            case WORKFLOW -> workflow(rest);
            case POLICY -> policy(rest);
            case EXPRESSION -> expression(rest);
        }
    }

    private static Reader reader(byte choice) {
        return switch (choice & 7) {
            case 0, 1, 2 -> Reader.JSON;
            case 3 -> Reader.HEADER;
            case 4 -> Reader.POLICY;
            case 5 -> Reader.WORKFLOW;
            case 6 -> Reader.ENVELOPE;
            default -> Reader.EXPRESSION;
        };
    }

    /** What is accepted has one canonical form, which is accepted as the same value. */
    static void json(byte[] bytes) {
        JsonValue value;
        try {
            value = Json.parse(bytes);
        } catch (JsonRefused refused) {
            return;
        }
        byte[] canonical = Json.canonical(value);
        var again = Json.parse(canonical);
        if (!again.equals(value) || !Arrays.equals(Json.canonical(again), canonical)) {
            throw new IllegalStateException("two values with one canonical form: " + text(canonical));
        }
        if (!Json.differences(value, again, 10).isEmpty()) {
            throw new IllegalStateException("a value differs from itself: " + text(canonical));
        }
    }

    /** A key that is accepted is accepted again, quoted, as the same key. */
    static void header(byte[] bytes) {
        var line = new String(bytes, StandardCharsets.ISO_8859_1);
        IdempotencyKey.parseHeader(line).ifPresent(key -> {
            var quoted = '"' + key.value().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            if (!IdempotencyKey.parseHeader(quoted).filter(key::equals).isPresent()) {
                throw new IllegalStateException("a key is not itself when quoted: " + line);
            }
        });
    }

    static void policy(byte[] bytes) {
        new PolicyReader().read(FILE, bytes);
    }

    static void workflow(byte[] bytes) {
        object(bytes, body -> new WorkflowParser(EXPRESSIONS).parse(body));
    }

    static void envelope(byte[] bytes) {
        object(bytes, Envelope::read);
    }

    /** What compiles gives a value or says why not, within the budget that a workflow's step has. */
    static void expression(byte[] bytes) {
        var expression = text(bytes);
        if (EXPRESSIONS.complaint(expression).isEmpty()) {
            EXPRESSIONS.evaluate(expression, SCOPE);
        }
    }

    private static void object(byte[] bytes, Consumer<JsonObject> reader) {
        try {
            if (Json.parse(bytes) instanceof JsonObject body) {
                reader.accept(body);
            }
        } catch (JsonRefused refused) {
            // A refusal is an answer.
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
