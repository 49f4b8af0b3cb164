package dev.nonbis.server.config;

import java.util.List;

/** What reading the configuration gave: all of it, or every reason why not. */
public sealed interface ConfigResult {

    /** Everything was understood. */
    record Accepted(Config config) implements ConfigResult {}

    /** At least one error, in the order of the file, the environment last. */
    record Refused(List<ConfigError> errors) implements ConfigResult {
        public Refused {
            errors = List.copyOf(errors);
        }
    }
}
