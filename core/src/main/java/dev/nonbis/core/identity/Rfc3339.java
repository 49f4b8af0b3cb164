package dev.nonbis.core.identity;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/** Reads one text by the grammar of RFC 3339, section 5.6, from left to right. */
final class Rfc3339 {

    private static final int NANO_DIGITS = 9;

    private final String text;
    private int at;

    Rfc3339(String text) {
        this.text = text;
    }

    Instant read() {
        long day = date();
        either('T', 't');
        int hour = digits(2, 23);
        expect(':');
        int minute = digits(2, 59);
        expect(':');
        int second = digits(2, 59);
        int nanos = at < text.length() && text.charAt(at) == '.' ? fraction() : 0;
        long local = day * 86_400 + hour * 3_600L + minute * 60L + second;
        long utc = local - offsetSeconds();
        if (at != text.length()) {
            throw refused();
        }
        return Instant.ofEpochSecond(Timestamps.withinFourDigits(utc), nanos);
    }

    private long date() {
        int year = digits(4, 9_999);
        expect('-');
        int month = digits(2, 12);
        expect('-');
        int day = digits(2, 31);
        try {
            return LocalDate.of(year, month, day).toEpochDay();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("a date that is in no calendar", e);
        }
    }

    private int fraction() {
        at++;
        int from = at;
        int nanos = 0;
        while (at < text.length() && isDigit(text.charAt(at))) {
            if (at - from < NANO_DIGITS) {
                nanos = nanos * 10 + (text.charAt(at) - '0');
            }
            at++;
        }
        if (at == from) {
            throw refused();
        }
        for (int i = at - from; i < NANO_DIGITS; i++) {
            nanos *= 10;
        }
        return nanos;
    }

    private int offsetSeconds() {
        char sign = next();
        if (sign == 'Z' || sign == 'z') {
            return 0;
        }
        if (sign != '+' && sign != '-') {
            throw refused();
        }
        int hours = digits(2, 23);
        expect(':');
        int seconds = hours * 3_600 + digits(2, 59) * 60;
        return sign == '-' ? -seconds : seconds;
    }

    private int digits(int count, int most) {
        int number = 0;
        for (int i = 0; i < count; i++) {
            char c = next();
            if (!isDigit(c)) {
                throw refused();
            }
            number = number * 10 + (c - '0');
        }
        if (number > most) {
            throw refused();
        }
        return number;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void expect(char wanted) {
        either(wanted, wanted);
    }

    private void either(char one, char other) {
        char c = next();
        if (c != one && c != other) {
            throw refused();
        }
    }

    private char next() {
        if (at == text.length()) {
            throw refused();
        }
        return text.charAt(at++);
    }

    private IllegalArgumentException refused() {
        return new IllegalArgumentException("not an RFC 3339 time, at character " + at);
    }
}
