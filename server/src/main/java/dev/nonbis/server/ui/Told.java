package dev.nonbis.server.ui;

/**
 * How something ended, in words for a person.
 *
 * @param tone {@code good}, {@code plain} or {@code bad}
 */
public record Told(String tone, String text) {

    static Told good(String text) {
        return new Told("good", text);
    }

    static Told plain(String text) {
        return new Told("plain", text);
    }

    static Told bad(String text) {
        return new Told("bad", text);
    }
}
