package dev.nonbis.server.policy.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.nonbis.core.run.Expressions.Result;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Turns what an expression gave into JSON, or says why that cannot be. The first limit met ends it. */
final class CelOutput {

    static final int MAX_BYTES = 1024 * 1024;
    static final int MAX_DEPTH = 48;

    private long bytes;

    private CelOutput() {}

    static Result toJson(Object value) {
        try {
            return new Result.Value(new CelOutput().json(value, 0));
        } catch (NotJson e) {
            String why = String.valueOf(e.getMessage());
            return e.limit ? new Result.LimitExceeded(why) : new Result.Failed(why);
        }
    }

    private JsonValue json(Object value, int depth) throws NotJson {
        count(1);
        if (depth > MAX_DEPTH) {
            throw new NotJson("the value nests deeper than " + MAX_DEPTH, true);
        }
        return switch (value) {
            case Boolean bool -> new JsonBool(bool);
            case Long number -> whole(number);
            case Double number -> fraction(number);
            case UnsignedLong number ->
                whole(number.bigIntegerValue().bitLength() > 63 ? Long.MAX_VALUE : number.longValue());
            case String text -> new JsonString(text(text));
            case NullValue none -> JsonNull.NULL;
            case List<?> list -> array(list, depth);
            case Map<?, ?> map -> object(map, depth);
            case Instant time -> throw new NotJson("a timestamp is not JSON; use string(…)");
            case Duration time -> throw new NotJson("a duration is not JSON; use string(…)");
            case CelByteString bytesValue -> throw new NotJson("bytes are not JSON; use string(…)");
            case CelType type -> throw new NotJson("a type is not JSON");
            default -> throw new NotJson("the value is not JSON");
        };
    }

    private JsonArray array(List<?> list, int depth) throws NotJson {
        var items = new ArrayList<JsonValue>();
        for (Object item : list) {
            items.add(json(item, depth + 1));
        }
        return new JsonArray(items);
    }

    private JsonObject object(Map<?, ?> map, int depth) throws NotJson {
        var object = JsonObject.builder();
        for (var member : map.entrySet()) {
            if (!(member.getKey() instanceof String name)) {
                throw new NotJson("a map whose keys are not strings is not JSON");
            }
            object.put(text(name), json(member.getValue(), depth + 1));
        }
        return object.build();
    }

    private JsonNumber whole(long number) throws NotJson {
        if (Math.abs((double) number) > CelView.MAX_EXACT) {
            throw new NotJson("the whole number is beyond ±(2^53 - 1)");
        }
        return new JsonNumber(number);
    }

    private JsonNumber fraction(double number) throws NotJson {
        if (!Double.isFinite(number)) {
            throw new NotJson("the number is not finite");
        }
        count(16);
        return new JsonNumber(number);
    }

    private String text(String text) throws NotJson {
        count(text.length() + 2L);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                count(2);
            } else if (Character.isSurrogate(c)) {
                throw new NotJson("the text has half a character in it");
            } else if (c > 0x7f) {
                count(c > 0x7ff ? 2 : 1);
            }
        }
        return text;
    }

    private void count(long more) throws NotJson {
        bytes += more;
        if (bytes > MAX_BYTES) {
            throw new NotJson("the value is larger than " + MAX_BYTES + " bytes", true);
        }
    }

    /** Ends the conversion; never leaves this class. */
    private static final class NotJson extends Exception {

        private static final long serialVersionUID = 1L;

        final boolean limit;

        NotJson(String why) {
            this(why, false);
        }

        NotJson(String why, boolean limit) {
            super(why, null, false, false);
            this.limit = limit;
        }
    }
}
