package dev.nonbis.json;

import dev.nonbis.json.JsonRefused.Reason;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** Builds values from the tokens of Jackson's parser and holds them to our rules. */
final class JsonReader {

    /**
     * Every limit of Jackson's is lifted, because each of them would refuse text that the contract takes. The caller bounds
     * the length of the text, {@link #value} the nesting, {@link NumberReader} the cost of a number.
     */
    private static final StreamReadConstraints NO_LIMITS = StreamReadConstraints.builder()
            .maxNestingDepth(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();

    /**
     * Without the detection of charsets only UTF-8 is read and a byte order mark is a syntax error. The table of known names
     * has a secret seed and starts afresh when it overflows, so an overflow is no reason to refuse. The pool of buffers is
     * not bound to threads, as most of ours are virtual and short-lived.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(NO_LIMITS)
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .build();

    private static final JsonBool TRUE = new JsonBool(true);
    private static final JsonBool FALSE = new JsonBool(false);
    private static final JsonArray NO_ITEMS = new JsonArray(List.of());

    private final byte[] utf8;
    private final JsonParser parser;

    private JsonReader(byte[] utf8, JsonParser parser) {
        this.utf8 = utf8;
        this.parser = parser;
    }

    static JsonValue read(byte[] utf8) {
        int loneSurrogate = Utf8Text.firstLoneSurrogate(utf8);
        JsonValue value;
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), utf8, 0, utf8.length)) {
            value = new JsonReader(utf8, parser).onlyValue();
        } catch (JacksonException e) {
            // Jackson's own message is dropped: it quotes what was sent.
            int at = offset(e.getLocation(), utf8.length);
            throw loneSurrogate >= 0 && loneSurrogate <= at
                    ? loneSurrogate(utf8, loneSurrogate)
                    : Utf8Text.refused(Reason.SYNTAX, "not JSON", utf8, at);
        }
        if (loneSurrogate >= 0) {
            throw loneSurrogate(utf8, loneSurrogate);
        }
        return value;
    }

    private JsonValue onlyValue() {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw Utf8Text.refused(Reason.SYNTAX, "no value", utf8, utf8.length);
        }
        JsonValue value = value(first, 0);
        if (parser.nextToken() != null) {
            throw refused(Reason.SYNTAX, "something after the value");
        }
        return value;
    }

    private JsonValue value(JsonToken token, int depth) {
        return switch (token) {
            case START_OBJECT -> object(inside(depth));
            case START_ARRAY -> array(inside(depth));
            case VALUE_STRING -> new JsonString(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
            case VALUE_TRUE -> TRUE;
            case VALUE_FALSE -> FALSE;
            case VALUE_NULL -> JsonNull.NULL;
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new IllegalStateException("no value starts with the token " + token);
        };
    }

    private int inside(int depth) {
        if (depth == Json.MAX_DEPTH) {
            throw refused(Reason.TOO_DEEP, "nested deeper than " + Json.MAX_DEPTH);
        }
        return depth + 1;
    }

    private JsonObject object(int depth) {
        String name = parser.nextName();
        if (name == null) {
            return JsonObject.EMPTY;
        }
        var members = new Members();
        while (name != null) {
            if (members.containsKey(name)) {
                throw refused(Reason.NOT_CANONICAL, "a member name for the second time");
            }
            members.add(name, value(parser.nextToken(), depth));
            name = parser.nextName();
        }
        return new JsonObject(members);
    }

    private JsonArray array(int depth) {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.END_ARRAY) {
            return NO_ITEMS;
        }
        List<JsonValue> items = new ArrayList<>();
        while (token != JsonToken.END_ARRAY) {
            items.add(value(token, depth));
            token = parser.nextToken();
        }
        return new JsonArray(items);
    }

    private JsonNumber number() {
        char[] text = parser.getStringCharacters();
        double value = NumberReader.read(text, parser.getStringOffset(), parser.getStringLength());
        if (Double.isNaN(value)) {
            throw refused(Reason.NOT_CANONICAL, "a number that a double would change");
        }
        return new JsonNumber(value);
    }

    private JsonRefused refused(Reason reason, String what) {
        return Utf8Text.refused(reason, what, utf8, offset(parser.currentTokenLocation(), utf8.length));
    }

    private static JsonRefused loneSurrogate(byte[] utf8, int offset) {
        return Utf8Text.refused(Reason.NOT_CANONICAL, "a lone surrogate", utf8, offset);
    }

    private static int offset(@Nullable TokenStreamLocation location, int length) {
        long offset = location == null ? length : location.getByteOffset();
        return offset < 0 || offset > length ? length : (int) offset;
    }
}
