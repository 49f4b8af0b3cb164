package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonSlice;
import dev.nonbis.json.JsonValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How things read for people. */
public final class Show {

    private static final int TIME_LENGTH = "2026-03-01T12:00:00".length();

    private Show() {}

    /** A time to the second, as in {@code 2026-03-01 12:00:00}; always UTC. */
    public static String time(Instant at) {
        return time(Timestamps.format(at));
    }

    public static String time(String rfc3339) {
        return rfc3339.length() < TIME_LENGTH
                ? rfc3339
                : rfc3339.substring(0, TIME_LENGTH).replace('T', ' ');
    }

    public static String rfc3339(Instant at) {
        return Timestamps.format(at);
    }

    /** How long, in its two largest parts: {@code 6 d 23 h}, {@code 4 min 10 s}, {@code 5 min}. */
    public static String span(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return parts(seconds / 60, "min", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return parts(seconds / 3600, "h", seconds / 60 % 60, "min");
        }
        return parts(seconds / 86_400, "d", seconds / 3600 % 24, "h");
    }

    private static String parts(long large, String unit, long small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }

    public static String ago(Instant at, Instant now) {
        return span(Duration.between(at, now)) + " ago";
    }

    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u2009');
    }

    /** The first and last characters of something long. */
    public static String brief(String hash) {
        return hash.length() <= 20 ? hash : hash.substring(0, 10) + "…" + hash.substring(hash.length() - 6);
    }

    /** What a state means for whoever looks: it waits, it moves, it is done, it went wrong, or it needs a hand. */
    public static String tone(String state) {
        return switch (state) {
            case "APPROVAL", "WAITING", "waiting", "requires_human" -> "ask";
            case "UNKNOWN" -> "hand";
            case "SUCCEEDED", "approved", "auto_approved" -> "good";
            case "FAILED", "TIMEOUT", "DENIED", "rejected", "expired" -> "bad";
            case "RUNNING", "DISPATCHED", "SCHEDULED", "ACTIVE", "PENDING" -> "move";
            default -> "rest";
        };
    }

    /** JSON over several lines, or its beginning. */
    public static String pretty(JsonValue value) {
        return PrettyJson.of(JsonSlice.of(Json.write(value)));
    }

    /** One segment of a path. */
    public static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
