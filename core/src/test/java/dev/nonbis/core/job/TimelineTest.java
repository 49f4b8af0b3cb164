package dev.nonbis.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void the_middle_of_a_long_story_is_folded() {
        var timeline = story(1_000, 1);

        assertThat(timeline.entries()).hasSize(400);
        assertThat(folded(timeline)).isEqualTo(601);
        assertThat(note(timeline, 99)).startsWith("99 ");
        assertThat(note(timeline, 399)).startsWith("999 ");
    }

    @Test
    void the_middle_of_a_large_story_is_folded_too() {
        var timeline = story(1_000, 8_000);

        assertThat(timeline.entries()).hasSizeBetween(10, 40);
        assertThat(folded(timeline)).isEqualTo(1_001 - timeline.entries().size());
        assertThat(note(timeline, 0)).startsWith("0 ");
        assertThat(note(timeline, timeline.entries().size() - 1)).startsWith("999 ");
    }

    @Test
    void a_story_that_was_folded_when_it_was_large_is_folded_at_the_same_place_when_it_is_long() {
        var timeline = story(100, 8_000);
        for (int i = 100; i < 1_000; i++) {
            timeline = timeline.and(entry(i, 1));
        }

        assertThat(timeline.entries().stream().filter(entry -> entry.type().equals("entries_folded")))
                .hasSize(1);
        assertThat(folded(timeline)).isEqualTo(1_001 - timeline.entries().size());
    }

    private static Timeline story(int entries, int characters) {
        var timeline = Timeline.EMPTY;
        for (int i = 0; i < entries; i++) {
            timeline = timeline.and(entry(i, characters));
        }
        return timeline;
    }

    private static TimelineEntry entry(int number, int characters) {
        var data = JsonObject.builder()
                .put("note", number + " " + "x".repeat(characters))
                .build();
        return new TimelineEntry(AT, "progress", data);
    }

    private static long folded(Timeline timeline) {
        return timeline.entries().stream()
                .filter(entry -> entry.type().equals("entries_folded"))
                .mapToLong(entry -> entry.data().integer("count").orElseThrow())
                .sum();
    }

    private static String note(Timeline timeline, int place) {
        return timeline.entries().get(place).data().string("note").orElse("");
    }
}
