package dev.nonbis.server.http.jetty;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** Jetty's header fields as a map by lowercase name. A look-up searches the fields, of which there are few. */
final class HeaderView extends AbstractMap<String, List<String>> {

    private final HttpFields fields;

    HeaderView(HttpFields fields) {
        this.fields = fields;
    }

    @Override
    public @Nullable List<String> get(@Nullable Object name) {
        if (!(name instanceof String text)) {
            return null;
        }
        var values = fields.getValuesList(text);
        return values.isEmpty() ? null : values;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return name instanceof String text && fields.contains(text);
    }

    @Override
    public List<String> getOrDefault(@Nullable Object name, List<String> otherwise) {
        var values = get(name);
        return values == null ? otherwise : values;
    }

    @Override
    public Set<Entry<String, List<String>>> entrySet() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (var field : fields) {
            all.computeIfAbsent(field.getLowerCaseName(), name -> fields.getValuesList(name));
        }
        return all.entrySet();
    }
}
