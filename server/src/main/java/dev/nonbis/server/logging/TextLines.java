package dev.nonbis.server.logging;

import dev.nonbis.core.identity.Timestamps;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One sentence a line, with its fields behind it. */
public final class TextLines extends Formatter {

    @Override
    public String format(LogRecord line) {
        var text = new StringBuilder(Timestamps.format(line.getInstant()))
                .append(' ')
                .append(line.getLevel().getName())
                .append(' ')
                .append(line.getLoggerName())
                .append(": ")
                .append(formatMessage(line));
        LogFields.current()
                .forEach((name, value) ->
                        text.append(' ').append(name).append('=').append(value));
        text.append(System.lineSeparator());
        if (line.getThrown() != null) {
            text.append(Texts.stack(line.getThrown()));
        }
        return text.toString();
    }
}
