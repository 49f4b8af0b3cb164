package dev.nonbis.bench.judge;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what was said without any of the server's code. */
final class Texts {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final Pattern ID = Pattern.compile("(?:job|run|pay|evt)_[0-9a-z]{26}");

    private static final Pattern ANY_ID = Pattern.compile("(?:job|run|pay|evt|req)_[0-9a-z]{26}");

    private Texts() {}

    /** The value, or a missing node when the text is not JSON. */
    static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            return MAPPER.missingNode();
        }
    }

    /** Every name of a thing in the text. */
    static Stream<String> ids(String text) {
        return text.contains("_") ? ID.matcher(text).results().map(found -> found.group()) : Stream.empty();
    }

    /** The text with a star for every name of a thing and of a request. */
    static String withoutIds(String text) {
        return ANY_ID.matcher(text).replaceAll("*");
    }

    /** The path's segment with this number, the first being 0; empty when there is none. */
    static String segment(String path, int number) {
        var segments = path.substring(1).split("/", -1);
        return number < segments.length ? segments[number] : "";
    }
}
