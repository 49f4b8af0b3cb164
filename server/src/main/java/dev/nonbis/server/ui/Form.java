package dev.nonbis.server.ui;

import dev.nonbis.server.http.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a browser sent when a form was submitted. */
record Form(Map<String, String> fields) {

    static Form of(Request request) {
        var fields = new HashMap<String, String>();
        for (String pair : new String(request.body(), StandardCharsets.UTF_8).split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                decoded(pair.substring(0, equals))
                        .ifPresent(name -> decoded(pair.substring(equals + 1))
                                .ifPresent(value -> fields.putIfAbsent(name, value)));
            }
        }
        return new Form(Map.copyOf(fields));
    }

    /** The field's text without space around it; empty when there is none. */
    String text(String name) {
        return fields.getOrDefault(name, "").strip();
    }

    Optional<String> filled(String name) {
        return Optional.of(text(name)).filter(text -> !text.isEmpty());
    }

    private static Optional<String> decoded(String raw) {
        try {
            return Optional.of(URLDecoder.decode(raw, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException broken) {
            return Optional.empty();
        }
    }
}
