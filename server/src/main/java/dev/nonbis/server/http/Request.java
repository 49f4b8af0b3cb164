package dev.nonbis.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One HTTP request as handlers see it. Header names are lowercase; path parameters are decoded. */
public record Request(
        String id,
        String method,
        String path,
        Map<String, String> pathParams,
        Map<String, List<String>> query,
        Map<String, List<String>> headers,
        byte[] body) {

    /** The header's value when it was sent exactly once. */
    public Optional<String> header(String name) {
        var values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
        return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
    }

    public String pathParam(String name) {
        var value = pathParams.get(name);
        if (value == null) {
            throw new IllegalStateException("the route has no path parameter " + name);
        }
        return value;
    }

    public Optional<String> query(String name) {
        var values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
    }
}
