package dev.nonbis.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000000Z",
        "2024-02-29T23:59:59.999999999Z, 2024-02-29T23:59:59.999999Z",
        "1969-12-31T23:59:59.000000999Z, 1969-12-31T23:59:59.000000Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000000Z",
        "9999-12-31T23:59:59.123456Z, 9999-12-31T23:59:59.123456Z",
    })
    void six_digits_follow_the_second_and_what_is_finer_is_cut_off(String instant, String formatted) {
        assertThat(Timestamps.format(Instant.parse(instant))).isEqualTo(formatted);
    }

    @Test
    void the_form_is_that_of_the_platforms_formatter_and_is_read_back() {
        DateTimeFormatter formatter =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
        Random random = new Random(3339);
        for (int i = 0; i < 20_000; i++) {
            Instant instant = Instant.ofEpochSecond(
                    random.nextLong(FIRST.getEpochSecond(), LAST.getEpochSecond()), random.nextInt(1_000_000_000));
            String formatted = Timestamps.format(instant);

            assertThat(formatted).isEqualTo(formatter.format(instant));
            assertThat(Timestamps.parse(formatted)).isEqualTo(Timestamps.ofMicros(Timestamps.micros(instant)));
        }
    }

    @Test
    void a_year_without_four_digits_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Timestamps.format(FIRST.minusNanos(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> Timestamps.format(LAST.plusNanos(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T09:05:00Z, 2026-01-31T09:05:00Z",
        "2026-01-31t09:05:00z, 2026-01-31T09:05:00Z",
        "2026-01-31T09:05:00.5Z, 2026-01-31T09:05:00.5Z",
        "2026-01-31T09:05:00.1234567899999Z, 2026-01-31T09:05:00.123456789Z",
        "2026-01-31T09:05:00+05:30, 2026-01-31T03:35:00Z",
        "2026-01-31T23:05:00-08:00, 2026-02-01T07:05:00Z",
        "2026-01-31T09:05:00-00:00, 2026-01-31T09:05:00Z",
        "2024-02-29T00:00:00+23:59, 2024-02-28T00:01:00Z",
    })
    void any_offset_is_read(String text, String instant) {
        assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(instant));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026",
                "2026-01-31",
                "2026-01-31T09:05Z",
                "2026-01-31T09:05:00",
                "2026-01-31 09:05:00Z",
                "2026-01-31T09:05:00.Z",
                "2026-01-31T09:05:00,5Z",
                "2026-01-31T09:05:00+0530",
                "2026-01-31T09:05:00+05",
                "2026-01-31T09:05:00+24:00",
                "2026-01-31T09:05:00+05:60",
                "2026-01-31T09:05:00Zx",
                " 2026-01-31T09:05:00Z",
                "2026-02-29T00:00:00Z",
                "2026-04-31T00:00:00Z",
                "2026-00-10T00:00:00Z",
                "2026-13-10T00:00:00Z",
                "2026-01-00T00:00:00Z",
                "2026-01-32T00:00:00Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T23:60:00Z",
                "2016-12-31T23:59:60Z",
                "2016-12-31T23:59:61Z",
                "+2026-01-31T09:05:00Z",
                "12026-01-31T09:05:00Z",
                "0000-01-01T00:00:00+00:01",
                "9999-12-31T23:59:59-00:01",
                "٢٠٢٦-01-31T09:05:00Z",
                "2026-1-31T09:05:00Z"
            })
    void everything_else_is_refused_leap_seconds_included(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Timestamps.parse(text));
    }

    @Test
    void micros_round_down_on_both_sides_of_1970() {
        assertThat(Timestamps.micros(Instant.ofEpochSecond(1, 1_999))).isEqualTo(1_000_001);
        assertThat(Timestamps.micros(Instant.ofEpochSecond(-1, 999_999_999))).isEqualTo(-1);
        assertThat(Timestamps.ofMicros(-1)).isEqualTo(Instant.ofEpochSecond(-1, 999_999_000));
    }
}
