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

/**
 * The first line of an export: the signed checkpoint that the events below it lead up to, and, when the beginning of the log was dropped,
 * the checkpoint that they start from. Because the end comes first, an export cannot lose its tail unnoticed.
 *
 * @param base what stands for the events that were dropped
 */
public record AuditExport(JsonObject checkpoint, Optional<Base> base) {

    static final String MEMBER = "export";

    /** A checkpoint and the subtrees of its tree, from which the tree of the export grows on. */
    public record Base(JsonObject checkpoint, List<byte[]> subtrees) {

        public Base {
            subtrees = List.copyOf(subtrees);
        }
    }

    public JsonObject toJson() {
        var json = JsonObject.builder().put("checkpoint", checkpoint);
        base.ifPresent(from -> json.put(
                "base",
                JsonObject.builder()
                        .put("checkpoint", from.checkpoint())
                        .put(
                                "subtrees",
                                new JsonArray(from.subtrees().stream()
                                        .<JsonValue>map(hash ->
                                                new JsonString(HexFormat.of().formatHex(hash)))
                                        .toList()))
                        .build()));
        return JsonObject.builder().put(MEMBER, json.build()).build();
    }

    /** An object as a line of an export: in its canonical form, so that there is one way to write it. */
    public static String line(JsonObject object) {
        return new String(Json.canonical(object), StandardCharsets.UTF_8);
    }

    public static boolean isHeader(JsonObject line) {
        return line.has(MEMBER);
    }

    /** Reads the first line; empty when it is none. */
    static Optional<AuditExport> of(JsonObject line) {
        var export = line.object(MEMBER);
        if (export.isEmpty()
                || line.members().size() != 1
                || export.get().object("checkpoint").isEmpty()) {
            return Optional.empty();
        }
        var checkpoint = export.get().object("checkpoint").get();
        if (!export.get().has("base")) {
            return export.get().members().size() == 1
                    ? Optional.of(new AuditExport(checkpoint, Optional.empty()))
                    : Optional.empty();
        }
        return export.get()
                .object("base")
                .filter(base ->
                        export.get().members().size() == 2 && base.members().size() == 2)
                .flatMap(AuditExport::base)
                .map(base -> new AuditExport(checkpoint, Optional.of(base)));
    }

    private static Optional<Base> base(JsonObject json) {
        var subtrees = new ArrayList<byte[]>();
        for (var item : json.array("subtrees").orElse(new JsonArray(List.of())).items()) {
            if (!(item instanceof JsonString(var hex)) || !hex.matches("[0-9a-f]{64}")) {
                return Optional.empty();
            }
            subtrees.add(HexFormat.of().parseHex(hex));
        }
        return json.object("checkpoint").map(checkpoint -> new Base(checkpoint, subtrees));
    }
}
