package dev.nonbis.server.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as the configuration writes them: {@code 500ms}, {@code 30s}, {@code 15m}, {@code 24h}, {@code 90d}. */
final class DurationText implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("^([0-9]{1,9})(ms|s|m|h|d)$");

    @Override
    public Duration convert(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            throw new TypeConversionException("\"" + text + "\" is not a duration, as in 500ms, 30s, 15m, 24h or 90d");
        }
        var amount = Long.parseLong(match.group(1));
        return switch (match.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
