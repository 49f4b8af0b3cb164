package dev.nonbis.json;

/**
 * Finds characters that a reader does not see or that change the order in which he sees others, and writes them as JSON escapes
 * ({@code \}{@code u202e}). In JSON text such characters occur inside strings alone, so escaped JSON means the same.
 */
public final class InvisibleText {

    private InvisibleText() {}

    /** Whether the text has one; line breaks and tabs do not count. */
    public static boolean isIn(CharSequence text) {
        return text.codePoints().anyMatch(InvisibleText::isInvisible);
    }

    /** The text with escapes in their place; line breaks and tabs stay. */
    public static String escaped(String text) {
        if (!isIn(text)) {
            return text;
        }
        var shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (!isInvisible(point)) {
                shown.appendCodePoint(point);
                return;
            }
            for (char unit : Character.toChars(point)) {
                shown.append("\\u%04x".formatted((int) unit));
            }
        });
        return shown.toString();
    }

    private static boolean isInvisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL -> point != '\n' && point != '\r' && point != '\t';
            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE -> true;
            default -> isBlankLetter(point);
        };
    }

    /** Letters and marks that no font draws: Hangul fillers, the grapheme joiner, variation selectors beyond the sixteen of emoji. */
    private static boolean isBlankLetter(int point) {
        return point == 0x034f
                || point == 0x115f
                || point == 0x1160
                || point == 0x3164
                || point == 0xffa0
                || (point >= 0xe0100 && point <= 0xe01ef);
    }
}
