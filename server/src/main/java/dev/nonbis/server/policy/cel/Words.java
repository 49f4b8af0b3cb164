package dev.nonbis.server.policy.cel;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Single values of a policy file. Each reader notes what is wrong and then gives nothing. */
final class Words {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Duration LONGEST = Duration.ofDays(1);

    private Words() {}

    static Optional<YamlEntry> required(YamlEntry group, Map<String, YamlEntry> members, String name) {
        var entry = Optional.ofNullable(members.get(name));
        if (entry.isEmpty()) {
            group.complainOf(name, "missing");
        }
        return entry;
    }

    static Optional<String> matching(YamlEntry entry, Pattern pattern, String refusal) {
        return entry.text().filter(text -> holds(entry, pattern.matcher(text).matches(), refusal));
    }

    static Optional<String> oneOf(YamlEntry entry, List<String> words) {
        return entry.text()
                .filter(text -> holds(
                        entry,
                        words.contains(text),
                        "\"" + text + "\" is not known; give one of " + String.join(", ", words)));
    }

    static <E extends Enum<E>> Optional<E> oneOf(YamlEntry entry, Class<E> type) {
        var words = List.of(type.getEnumConstants()).stream().map(Words::word).toList();
        return oneOf(entry, words).map(word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT)));
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static Optional<Boolean> bool(YamlEntry entry) {
        return oneOf(entry, List.of("true", "false")).map(Boolean::valueOf);
    }

    static Optional<Duration> duration(YamlEntry entry) {
        return entry.text().flatMap(text -> {
            var match = DURATION.matcher(text);
            var delay = match.matches()
                    ? Optional.of(duration(match.group(1), match.group(2)))
                    : Optional.<Duration>empty();
            return delay.filter(d -> !d.isZero() && d.compareTo(LONGEST) <= 0).or(() -> {
                entry.complain("\"" + text
                        + "\" is not a time to wait: give a whole number and ms, s, m or h, as in 30s, up to 24h");
                return Optional.empty();
            });
        });
    }

    private static Duration duration(String number, String unit) {
        long amount = Long.parseLong(number);
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    private static boolean holds(YamlEntry entry, boolean holds, String refusal) {
        if (!holds) {
            entry.complain(refusal);
        }
        return holds;
    }
}
