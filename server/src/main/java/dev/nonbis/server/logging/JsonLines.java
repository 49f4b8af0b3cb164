package dev.nonbis.server.logging;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One JSON object a line. */
public final class JsonLines extends Formatter {

    @Override
    public String format(LogRecord line) {
        var json = JsonObject.builder()
                .put("ts", Timestamps.format(line.getInstant()))
                .put("level", line.getLevel().getName().toLowerCase(Locale.ROOT))
                .put("logger", String.valueOf(line.getLoggerName()))
                .put("message", Texts.whole(formatMessage(line)));
        LogFields.current().forEach((name, value) -> {
            if (value instanceof Number number) {
                json.put(name, number.longValue());
            } else {
                json.put(name, Texts.whole(value.toString()));
            }
        });
        if (line.getThrown() != null) {
            json.put("error", Texts.whole(Texts.stack(line.getThrown())));
        }
        return new String(Json.write(json.build()), StandardCharsets.UTF_8) + System.lineSeparator();
    }
}
