package dev.nonbis.server.http.helidon;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Helidon's headers as a map by lowercase name; a look-up decodes that one header, because most are never asked for. */
final class HeaderView extends AbstractMap<String, List<String>> {

    // Helidon looks for a name among those that it knows, and makes others anew each time; these are asked for with
    // every request.
    private static final Map<String, HeaderName> OFTEN = Map.of(
            "authorization", HeaderNames.AUTHORIZATION,
            "content-type", HeaderNames.CONTENT_TYPE,
            "idempotency-key", HeaderNames.create("idempotency-key"),
            "traceparent", HeaderNames.create("traceparent"),
            "x-api-key", HeaderNames.create("x-api-key"),
            "x-tenant-id", HeaderNames.create("x-tenant-id"));

    private final Headers headers;

    HeaderView(Headers headers) {
        this.headers = headers;
    }

    @Override
    public @Nullable List<String> get(@Nullable Object name) {
        if (!(name instanceof String text)) {
            return null;
        }
        var headerName = name(text);
        return headers.contains(headerName) ? headers.get(headerName).allValues() : null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return name instanceof String text && headers.contains(name(text));
    }

    private static HeaderName name(String text) {
        var often = OFTEN.get(text);
        return often == null ? HeaderNames.create(text) : often;
    }

    @Override
    public List<String> getOrDefault(@Nullable Object name, List<String> otherwise) {
        return name instanceof String text ? headers.all(name(text), () -> otherwise) : otherwise;
    }

    @Override
    public int size() {
        return headers.size();
    }

    @Override
    public Set<Entry<String, List<String>>> entrySet() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (var header : headers) {
            all.put(header.headerName().lowerCase(), header.allValues());
        }
        return all.entrySet();
    }
}
