package dev.nonbis.core.identity;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;

/** Times as the interface shows them, RFC 3339 in UTC with microseconds, and as the stores keep them. */
public final class Timestamps {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int SECONDS_PER_DAY = 86_400;

    /** The first second of year 0 and the last of year 9999: what four digits can tell. */
    private static final long FIRST_SECOND = LocalDate.of(0, 1, 1).toEpochDay() * SECONDS_PER_DAY;

    private static final long LAST_SECOND = LocalDate.of(10_000, 1, 1).toEpochDay() * SECONDS_PER_DAY - 1;

    /** The last instant that can be told. */
    public static final Instant LAST = Instant.ofEpochSecond(LAST_SECOND, 999_999_000);

    private static final byte[] SHAPE = "0000-00-00T00:00:00.000000Z".getBytes(StandardCharsets.US_ASCII);

    private Timestamps() {}

    /**
     * For example {@code 2026-01-31T09:05:00.000123Z}; what is finer than a microsecond is cut off.
     *
     * @throws IllegalArgumentException when the year does not have four digits
     */
    public static String format(Instant instant) {
        long second = withinFourDigits(instant.getEpochSecond());
        int secondOfDay = (int) Math.floorMod(second, (long) SECONDS_PER_DAY);
        byte[] text = SHAPE.clone();
        date(Math.floorDiv(second, (long) SECONDS_PER_DAY), text);
        digits(secondOfDay / 3600, text, 11, 2);
        digits(secondOfDay / 60 % 60, text, 14, 2);
        digits(secondOfDay % 60, text, 17, 2);
        digits(instant.getNano() / NANOS_PER_MICRO, text, 20, 6);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads an RFC 3339 time with any offset. Digits finer than a nanosecond are cut off. A leap second is refused, because
     * an {@link Instant} has no place for it.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static Instant parse(String text) {
        return new Rfc3339(text).read();
    }

    /** Microseconds since 1970, rounded down. */
    public static long micros(Instant instant) {
        return Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), MICROS_PER_SECOND), instant.getNano() / NANOS_PER_MICRO);
    }

    public static Instant ofMicros(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    }

    static long withinFourDigits(long second) {
        if (second < FIRST_SECOND || second > LAST_SECOND) {
            throw new IllegalArgumentException("a time outside the years 0000 to 9999");
        }
        return second;
    }

    /** Counts years from March, so that the leap day is the last one (Hinnant, "chrono-compatible low-level date algorithms"). */
    private static void date(long epochDay, byte[] text) {
        int days = (int) epochDay + 719_468;
        int era = Math.floorDiv(days, 146_097);
        int dayOfEra = days - era * 146_097;
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        digits(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), text, 0, 4);
        digits(month, text, 5, 2);
        digits(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, text, 8, 2);
    }

    private static void digits(int number, byte[] text, int at, int width) {
        int rest = number;
        for (int i = at + width - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
