package dev.nonbis.server.store.sql;

import java.util.Comparator;

/** Texts in the order in which the database has them, by their bytes in UTF-8. */
final class TextOrder implements Comparator<String> {

    static final TextOrder OF_BYTES = new TextOrder();

    private TextOrder() {}

    // Two halves of a character stand for one that is behind all others, though they are numbers before some.
    @Override
    public int compare(String one, String other) {
        int at = shared(one, other);
        if (at == one.length() || at == other.length()) {
            return Integer.compare(one.length(), other.length());
        }
        char left = one.charAt(at);
        char right = other.charAt(at);
        boolean leftIsHalf = Character.isSurrogate(left);
        return leftIsHalf == Character.isSurrogate(right) ? Character.compare(left, right) : leftIsHalf ? 1 : -1;
    }

    /** How many characters both begin with. */
    private static int shared(String one, String other) {
        int most = Math.min(one.length(), other.length());
        int at = 0;
        while (at < most && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }

    /** What both begin with, in whole characters. */
    static String beginning(String one, String other) {
        int length = shared(one, other);
        boolean halved = length > 0 && Character.isHighSurrogate(one.charAt(length - 1));
        return one.substring(0, halved ? length - 1 : length);
    }
}
