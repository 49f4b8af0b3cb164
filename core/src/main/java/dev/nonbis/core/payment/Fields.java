package dev.nonbis.core.payment;

import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The members of one object of an envelope; what does not fit is {@link Wrong} with its pointer. */
final class Fields {

    private static final int MAX_URI = 2_048;

    private final JsonObject json;
    private final String pointer;

    Fields(JsonObject json, String pointer) {
        this.json = json;
        this.pointer = pointer;
    }

    Fields only(Set<String> allowed) {
        for (String name : json.members().keySet()) {
            if (!allowed.contains(name)) {
                throw new Wrong(ProblemCode.SCHEMA_UNKNOWN_FIELD, at(name), "This field is not known here.");
            }
        }
        return this;
    }

    boolean has(String name) {
        return json.has(name);
    }

    String string(String name) {
        requirePresent(name);
        return json.string(name).orElseThrow(() -> wrongType(name, "a string"));
    }

    String matching(String name, Pattern shape) {
        String text = string(name);
        if (!shape.matcher(text).matches()) {
            throw outOfRange(name, "a text of the form " + shape.pattern());
        }
        return text;
    }

    String oneOf(String name, List<String> words) {
        String text = string(name);
        if (!words.contains(text)) {
            throw outOfRange(name, words.size() == 1 ? words.getFirst() : "one of " + String.join(", ", words));
        }
        return text;
    }

    String uri(String name) {
        String text = string(name);
        try {
            // Letters beyond ASCII belong into an IRI; to an approver's eye one of them can pass for another.
            if (text.length() <= MAX_URI && isAscii(text) && new URI(text).isAbsolute()) {
                return text;
            }
        } catch (URISyntaxException notUri) {
            // Refused below, like one that is relative or too long.
        }
        throw outOfRange(name, "an absolute URI of at most " + MAX_URI + " characters");
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    Fields object(String name) {
        requirePresent(name);
        return json.object(name)
                .map(object -> new Fields(object, at(name)))
                .orElseThrow(() -> wrongType(name, "an object"));
    }

    /** The object, unless the member is absent or null. */
    Optional<Fields> optionalObject(String name) {
        var value = json.get(name);
        return value.isEmpty() || value.get() instanceof JsonNull ? Optional.empty() : Optional.of(object(name));
    }

    Wrong outOfRange(String name, String expected) {
        return new Wrong(ProblemCode.SCHEMA_VALUE_OUT_OF_RANGE, at(name), "Expected " + expected + ".");
    }

    private Wrong wrongType(String name, String expected) {
        return new Wrong(ProblemCode.SCHEMA_WRONG_TYPE, at(name), "Expected " + expected + ".");
    }

    private void requirePresent(String name) {
        if (!json.has(name)) {
            throw new Wrong(ProblemCode.SCHEMA_MISSING_FIELD, at(name), "The field " + name + " is required.");
        }
    }

    private String at(String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** Ends the reading of an envelope; never leaves this package. */
    static final class Wrong extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final ProblemCode code;
        private final String pointer;
        private final String why;

        Wrong(ProblemCode code, String pointer, String why) {
            super(why, null, false, false);
            this.code = code;
            this.pointer = pointer;
            this.why = why;
        }

        ProblemCode code() {
            return code;
        }

        String pointer() {
            return pointer;
        }

        String why() {
            return why;
        }
    }
}
