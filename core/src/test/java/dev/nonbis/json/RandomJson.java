package dev.nonbis.json;

import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Values of every kind, drawn from a seed, rich in the characters and numbers that are hard to get right. */
final class RandomJson {

    private static final int[] HARD_CODE_POINTS = {
        0, 1, 8, 9, 10, 12, 13, 0x1F, ' ', '"', '/', '\\', '~', 0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF,
        0x10000, 0x1F602, 0x10FFFF
    };

    private final Random random;

    RandomJson(long seed) {
        this.random = new Random(seed);
    }

    JsonValue value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> new JsonString(string());
            case 1 -> new JsonNumber(number());
            case 2 -> new JsonNumber(random.nextInt(1000));
            case 3 -> new JsonBool(random.nextBoolean());
            case 4 -> JsonNull.NULL;
            case 5 -> array(depth - 1);
            default -> object(depth - 1);
        };
    }

    /** The same value with the members of every object in another order. */
    JsonValue shuffled(JsonValue value) {
        return switch (value) {
            case JsonObject object -> {
                List<Map.Entry<String, JsonValue>> members =
                        new ArrayList<>(object.members().entrySet());
                Collections.shuffle(members, random);
                var shuffled = new Members();
                members.forEach(member -> shuffled.put(member.getKey(), shuffled(member.getValue())));
                yield new JsonObject(shuffled);
            }
            case JsonArray array ->
                new JsonArray(array.items().stream().map(this::shuffled).toList());
            case JsonString s -> s;
            case JsonNumber n -> n;
            case JsonBool b -> b;
            case JsonNull n -> n;
        };
    }

    private JsonArray array(int depth) {
        List<JsonValue> items = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            items.add(value(depth));
        }
        return new JsonArray(items);
    }

    private JsonObject object(int depth) {
        var members = new Members();
        for (int i = random.nextInt(6); i > 0; i--) {
            members.put(string(), value(depth));
        }
        return new JsonObject(members);
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (int i = random.nextInt(1 << random.nextInt(6)); i > 0; i--) {
            string.appendCodePoint(
                    random.nextInt(3) == 0
                            ? HARD_CODE_POINTS[random.nextInt(HARD_CODE_POINTS.length)]
                            : 'a' + random.nextInt(26));
        }
        return string.toString();
    }

    private double number() {
        double number = Double.longBitsToDouble(random.nextLong());
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong() >> random.nextInt(64);
            case 1 -> Math.scalb(1.0, random.nextInt(2098) - 1074);
            case 2 -> random.nextInt() / 100.0;
            default -> Double.isFinite(number) ? number : 0;
        };
    }
}
