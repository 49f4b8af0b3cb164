package dev.nonbis.server.config;

import java.util.List;

/** What reading the configuration gave: all of it, or every reason why not. */
public sealed interface ConfigResult {

    /**
     * Everything was understood.
     *
     * @param ignored variables that are not ours although their names begin like ours
     */
    record Accepted(Config config, List<String> ignored) implements ConfigResult {
        public Accepted {
            ignored = List.copyOf(ignored);
        }
    }

    /** At least one error, in the order of the file, the environment last. */
    record Refused(List<ConfigError> errors) implements ConfigResult {
        public Refused {
            errors = List.copyOf(errors);
        }
    }
}
