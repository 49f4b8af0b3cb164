package dev.nonbis.core.store;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.core.job.Job.Duplicates;
import dev.nonbis.core.job.Timeline;
import dev.nonbis.core.job.TimelineEntry;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;

/** The story and the counts of duplicates, which jobs and runs share; times are told from when the thing was made. */
final class TimelineCodec {

    private TimelineCodec() {}

    static void put(Packer row, Instant created, Duplicates duplicates, Timeline timeline) {
        long since = Timestamps.micros(created);
        row.number(duplicates.replays()).number(duplicates.mismatches());
        row.number(timeline.entries().size());
        for (var entry : timeline.entries()) {
            row.number(Timestamps.micros(entry.at()) - since).text(entry.type());
            row.bytes(entry.data().members().isEmpty() ? Packer.nothing() : Json.write(entry.data()));
        }
    }

    static Duplicates duplicates(Unpacker row) {
        return new Duplicates(row.number(), row.number());
    }

    static Timeline timeline(Unpacker row, Instant created) {
        long since = Timestamps.micros(created);
        int count = row.count();
        var entries = new ArrayList<TimelineEntry>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new TimelineEntry(Timestamps.ofMicros(row.number() + since), row.text(), data(row.bytes())));
        }
        return new Timeline(entries);
    }

    private static JsonObject data(byte[] json) {
        return json.length == 0 ? JsonObject.EMPTY : Row.object(json);
    }
}
