package dev.nonbis.server.config;

/** One reason not to start. {@code entry} is the dotted path, empty when the file as a whole is at fault. */
public record ConfigError(Place place, String entry, String reason) {

    /** One line: where, which entry, why. */
    @Override
    public String toString() {
        return entry.isEmpty() ? place + ": " + reason : place + ": " + entry + ": " + reason;
    }
}
