package dev.nonbis.server.ui;

import dev.nonbis.core.job.Timeline;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a timeline as a page draws it.
 *
 * @param layer what stopped a duplicate; empty where none was stopped
 * @param count how many duplicates this entry stands for
 */
public record Entry(String at, String title, String tone, String layer, long count, List<Fact> facts) {

    /** A name and a value. */
    public record Fact(String name, String value) {}

    public boolean isDuplicate() {
        return !layer.isEmpty();
    }

    static List<Entry> of(List<JsonObject> items) {
        return items.stream().map(Entry::of).toList();
    }

    private static Entry of(JsonObject item) {
        String at = item.string("at").orElse("");
        String type = item.string("type").orElse("");
        var data = item.object("data").orElse(JsonObject.EMPTY);
        if (type.equals(Timeline.DUPLICATE_BLOCKED)) {
            return new Entry(
                    at,
                    data.string("kind").orElse("duplicate"),
                    "stopped",
                    data.string("layer").orElse("unknown"),
                    data.integer("count").orElse(1L),
                    List.of());
        }
        return new Entry(at, type, Show.tone(type), "", 1, facts(data));
    }

    static List<Fact> facts(JsonObject data) {
        var facts = new ArrayList<Fact>();
        data.members().forEach((name, value) -> facts.add(new Fact(name.replace('_', ' '), text(value))));
        return facts;
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(var text) ? text : Show.pretty(value);
    }
}
