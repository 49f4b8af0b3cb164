package dev.nonbis.server.cli;

import dev.nonbis.server.config.Config.Logs.Format;
import dev.nonbis.server.logging.JsonLines;
import dev.nonbis.server.logging.TextLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.logging.LogManager;

/** Sends logs to stderr, one line each. */
final class Logging {

    private static final String SETTINGS = "/dev/nonbis/server/logging.properties";

    private Logging() {}

    /** An operator's own {@code java.util.logging.config.file} is left alone. */
    static void start() {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        try (var settings = Logging.class.getResourceAsStream(SETTINGS)) {
            if (settings == null) {
                throw new IllegalStateException("the jar must hold " + SETTINGS);
            }
            LogManager.getLogManager().readConfiguration(settings);
            format(Format.TEXT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How lines look from now on. */
    static void format(Format format) {
        if (System.getProperty("java.util.logging.config.file") != null) {
            return;
        }
        for (var handler : LogManager.getLogManager().getLogger("").getHandlers()) {
            handler.setFormatter(
                    switch (format) {
                        case TEXT -> new TextLines();
                        case JSON -> new JsonLines();
                    });
        }
    }
}
