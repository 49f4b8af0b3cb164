package dev.nonbis.server.config;

import java.util.Locale;
import java.util.Optional;

/**
 * One value of the file: its dotted path and how it is read. {@code []} in a path stands for the items of a list, {@code *} for any
 * name.
 */
record Entry<T>(String path, Reader<T> reader) {

    /** Where it is in a file that was read: the path with its wildcards filled in. */
    Entry<T> at(String concretePath) {
        return new Entry<>(concretePath, reader);
    }

    /**
     * The environment twin: {@code NONBIS_} and the path in capitals, with an underscore for each dot. Items of a list of values share one
     * variable, separated by commas. A list of groups has no twin.
     */
    Optional<String> variable() {
        var plain = path.endsWith("[]") ? path.substring(0, path.length() - 2) : path;
        return plain.contains("[]")
                ? Optional.empty()
                : Optional.of("NONBIS_" + plain.toUpperCase(Locale.ROOT).replace('.', '_'));
    }
}
