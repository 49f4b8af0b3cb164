package dev.nonbis.core.audit;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What stands beside an export: the signed checkpoint that its events lead up to, and, when the beginning of the log was dropped, the
 * checkpoint that they start from. An export is events and nothing else, so that it alone cannot show that its tail was cut off.
 *
 * @param base what stands for the events that were dropped
 */
public record AuditSeal(JsonObject checkpoint, Optional<Base> base) {

    private static final String CHECKPOINT = "checkpoint";
    private static final String BASE = "base";
    private static final String SUBTREES = "subtrees";
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** A checkpoint and the subtrees of its tree, from which the tree of the export grows on. */
    public record Base(JsonObject checkpoint, List<byte[]> subtrees) {

        public Base {
            subtrees = List.copyOf(subtrees);
        }
    }

    public JsonObject toJson() {
        var json = JsonObject.builder().put(CHECKPOINT, checkpoint);
        base.ifPresent(from -> json.put(
                BASE,
                JsonObject.builder()
                        .put(CHECKPOINT, from.checkpoint())
                        .put(
                                SUBTREES,
                                new JsonArray(from.subtrees().stream()
                                        .<JsonValue>map(hash ->
                                                new JsonString(HexFormat.of().formatHex(hash)))
                                        .toList()))
                        .build()));
        return json.build();
    }

    /** An object as a line of an export: in its canonical form, so that there is one way to write it. */
    public static String line(JsonObject object) {
        return new String(Json.canonical(object), StandardCharsets.UTF_8);
    }

    /** Reads a seal; empty when it is none. */
    public static Optional<AuditSeal> of(JsonObject json) {
        boolean whole = json.has(BASE);
        if (json.members().size() != (whole ? 2 : 1)) {
            return Optional.empty();
        }
        var checkpoint = json.object(CHECKPOINT);
        var base = json.object(BASE).flatMap(AuditSeal::base);
        return whole && base.isEmpty() ? Optional.empty() : checkpoint.map(last -> new AuditSeal(last, base));
    }

    private static Optional<Base> base(JsonObject json) {
        var subtrees = new ArrayList<byte[]>();
        for (var item : json.array(SUBTREES).orElse(new JsonArray(List.of())).items()) {
            if (!(item instanceof JsonString(var hex)) || !HASH.matcher(hex).matches()) {
                return Optional.empty();
            }
            subtrees.add(HexFormat.of().parseHex(hex));
        }
        return json.object(CHECKPOINT).map(checkpoint -> new Base(checkpoint, subtrees));
    }
}
