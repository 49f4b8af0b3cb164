package dev.nonbis.server.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the part of an address after the question mark. */
public final class QueryString {

    private QueryString() {}

    /** Decoded values by decoded name, or nothing when a part cannot be decoded. */
    public static Optional<Map<String, List<String>>> parse(String raw) {
        if (raw.isEmpty()) {
            return Optional.of(Map.of());
        }
        var values = new LinkedHashMap<String, List<String>>();
        for (var pair : raw.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            var name = Percent.query(equals < 0 ? pair : pair.substring(0, equals));
            var value = Percent.query(equals < 0 ? "" : pair.substring(equals + 1));
            if (name.isEmpty() || value.isEmpty()) {
                return Optional.empty();
            }
            values.computeIfAbsent(name.get(), n -> new ArrayList<>(1)).add(value.get());
        }
        return Optional.of(values);
    }
}
