package dev.nonbis.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Filters of a list, as a query string. Immutable. */
public record Query(List<String> parts) {

    /** No filter. */
    public static final Query ALL = new Query(List.of());

    public Query {
        parts = List.copyOf(parts);
    }

    /** The same filters and one more, such as {@code state} or {@code limit}. */
    public Query and(String name, String value) {
        var more = new ArrayList<>(parts);
        more.add(encode(name) + "=" + encode(value));
        return new Query(more);
    }

    /** The same filters, and one more if there is a value. */
    public Query and(String name, Optional<String> value) {
        return value.map(given -> and(name, given)).orElse(this);
    }

    String appendTo(String path) {
        return parts.isEmpty() ? path : path + "?" + String.join("&", parts);
    }

    static String encode(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        // A path segment of dots alone would be taken for a step up.
        return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
    }
}
