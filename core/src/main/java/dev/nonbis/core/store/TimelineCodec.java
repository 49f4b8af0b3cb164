package dev.nonbis.core.store;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.JsonValue;
import java.util.ArrayList;

/** The story and the counts of duplicates, which jobs and runs share. */
final class TimelineCodec {

    private TimelineCodec() {}

    static void put(JsonText json, Duplicates duplicates, Timeline timeline) {
        if (!duplicates.equals(Duplicates.NONE)) {
            json.put("replays", duplicates.replays()).put("mismatches", duplicates.mismatches());
        }
        var entries = new ArrayList<JsonValue>(timeline.entries().size());
        for (var entry : timeline.entries()) {
            var one = JsonObject.builder()
                    .put("at", Timestamps.micros(entry.at()))
                    .put("type", entry.type());
            if (!entry.data().members().isEmpty()) {
                one.put("data", entry.data());
            }
            entries.add(one.build());
        }
        json.put("timeline", new JsonArray(entries));
    }

    static Duplicates duplicates(Row row) {
        return row.json().has("replays")
                ? new Duplicates(row.integer("replays"), row.integer("mismatches"))
                : Duplicates.NONE;
    }

    static Timeline timeline(Row row) {
        var entries = new ArrayList<TimelineEntry>();
        for (var item : row.json()
                .array("timeline")
                .orElse(new JsonArray(java.util.List.of()))
                .items()) {
            if (item instanceof JsonObject object) {
                var entry = new Row(object);
                entries.add(new TimelineEntry(
                        entry.instant("at"),
                        entry.string("type"),
                        object.object("data").orElse(JsonObject.EMPTY)));
            }
        }
        return new Timeline(entries);
    }
}
