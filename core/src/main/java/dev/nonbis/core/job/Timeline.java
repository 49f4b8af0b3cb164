package dev.nonbis.core.job;

import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonBool;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.json.JsonValue.JsonString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What happened, in order. It lives in the row that it tells of, so it is kept short: repeated duplicates of one kind are one entry
 * with a count, and in a very long or large story the middle is folded into one entry that says how many were left out.
 */
public record Timeline(List<TimelineEntry> entries) {

    public static final Timeline EMPTY = new Timeline(List.of());

    public static final String DUPLICATE_BLOCKED = "duplicate_blocked";

    private static final int MAX_ENTRIES = 400;
    private static final int KEPT_AT_START = 100;
    // So few entries are never too large.
    private static final int FEW_ENTRIES = 32;
    private static final int MAX_CHARACTERS = 128 * 1024;
    private static final String FOLDED = "entries_folded";

    public Timeline {
        entries = List.copyOf(entries);
    }

    public Timeline and(TimelineEntry entry) {
        var all = new ArrayList<>(entries);
        all.add(entry);
        while (all.size() > FEW_ENTRIES && (all.size() > MAX_ENTRIES || characters(all) > MAX_CHARACTERS)) {
            fold(all);
        }
        return new Timeline(all);
    }

    private static long characters(List<TimelineEntry> all) {
        return all.stream().mapToLong(entry -> characters(entry.data())).sum();
    }

    private static long characters(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> text.length();
            case JsonObject object ->
                object.members().entrySet().stream()
                        .mapToLong(member -> member.getKey().length() + characters(member.getValue()))
                        .sum();
            case JsonArray array ->
                array.items().stream().mapToLong(Timeline::characters).sum();
            case JsonNumber n -> 1;
            case JsonBool b -> 1;
            case JsonNull n -> 1;
        };
    }

    /** Adds duplicates that a layer stopped; they join the last entry when that tells of the same kind at the same layer. */
    public Timeline andBlocked(String layer, String kind, long count, Instant at) {
        if (!entries.isEmpty()) {
            var last = entries.getLast();
            if (last.type().equals(DUPLICATE_BLOCKED)
                    && last.data().string("layer").equals(java.util.Optional.of(layer))
                    && last.data().string("kind").equals(java.util.Optional.of(kind))) {
                var all = new ArrayList<>(entries.subList(0, entries.size() - 1));
                all.add(blocked(
                        layer, kind, count + last.data().integer("count").orElse(1L), at));
                return new Timeline(all);
            }
        }
        return and(blocked(layer, kind, count, at));
    }

    private static TimelineEntry blocked(String layer, String kind, long count, Instant at) {
        return new TimelineEntry(
                at,
                DUPLICATE_BLOCKED,
                JsonObject.builder()
                        .put("layer", new JsonString(layer))
                        .put("kind", kind)
                        .put("count", count)
                        .build());
    }

    private static void fold(List<TimelineEntry> all) {
        int place = foldedAt(all);
        var first = all.get(place);
        var second = all.get(place + 1);
        long folded =
                first.type().equals(FOLDED) ? first.data().integer("count").orElse(1L) : 1L;
        all.set(
                place,
                new TimelineEntry(
                        second.at(),
                        FOLDED,
                        JsonObject.builder().put("count", folded + 1).build()));
        all.remove(place + 1);
    }

    // Where it was folded before, if it was.
    private static int foldedAt(List<TimelineEntry> all) {
        return IntStream.range(0, all.size())
                .filter(i -> all.get(i).type().equals(FOLDED))
                .findFirst()
                .orElse(Math.min(KEPT_AT_START, all.size() / 4));
    }
}
