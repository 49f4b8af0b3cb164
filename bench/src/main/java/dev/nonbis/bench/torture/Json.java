package dev.nonbis.bench.torture;

import dev.nonbis.bench.http.Answer;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the server's JSON without any of the server's code. */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private Json() {}

    /** The value, or a missing node when the text is not JSON. */
    static JsonNode parse(byte[] text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            return MAPPER.missingNode();
        }
    }

    /** A top-level string member, empty when there is none. */
    static String member(byte[] text, String name) {
        return parse(text).path(name).asString("");
    }

    /** A problem's code, empty when the answer is not a problem. */
    static String code(Answer answer) {
        return member(answer.body(), "code");
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
