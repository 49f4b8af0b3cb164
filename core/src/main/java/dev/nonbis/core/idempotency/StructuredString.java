package dev.nonbis.core.idempotency;

import java.util.Optional;

/**
 * Reads an item of RFC 9651 (which contains RFC 8941) that is a string, with whatever parameters follow it.
 *
 * <p>The parameters' values are only recognised: lengths of numbers, names of tokens and the like are checked, nothing is kept.
 */
final class StructuredString {

    private static final int MOST_INTEGER_DIGITS = 15;
    private static final int MOST_DIGITS_BEFORE_POINT = 12;
    private static final int MOST_DIGITS_AFTER_POINT = 3;

    private final String text;
    private int at;

    private StructuredString(String text) {
        this.text = text;
    }

    /** The string's value; empty when the text, which has no spaces around it, is not such an item. */
    static Optional<String> read(String text) {
        StructuredString item = new StructuredString(text);
        StringBuilder value = new StringBuilder(text.length());
        return item.string(value) && item.parameters() && item.at == text.length()
                ? Optional.of(value.toString())
                : Optional.empty();
    }

    private boolean string(StringBuilder value) {
        if (!skip('"')) {
            return false;
        }
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c == '\\') {
                if (peek() != '"' && peek() != '\\') {
                    return false;
                }
                c = text.charAt(at++);
            } else if (c < ' ' || c > '~') {
                return false;
            }
            value.append(c);
        }
        return false;
    }

    private boolean parameters() {
        while (skip(';')) {
            while (skip(' ')) {
                // Spaces may stand after the semicolon only.
            }
            if (!name() || (skip('=') && !bareItem())) {
                return false;
            }
        }
        return true;
    }

    private boolean name() {
        if (!isLower(peek()) && peek() != '*') {
            return false;
        }
        while (isLower(peek()) || isDigit(peek()) || isOneOf("_-.*", peek())) {
            at++;
        }
        return true;
    }

    private boolean bareItem() {
        char c = peek();
        if (c == '"') {
            return string(new StringBuilder());
        }
        if (c == '-' || isDigit(c)) {
            return number(true);
        }
        if (isLetter(c) || c == '*') {
            return token();
        }
        at++;
        return switch (c) {
            case ':' -> bytes();
            case '?' -> skip('0') || skip('1');
            case '@' -> number(false);
            case '%' -> displayString();
            default -> false;
        };
    }

    private boolean number(boolean mayHavePoint) {
        skip('-');
        int before = digits();
        if (before == 0 || before > MOST_INTEGER_DIGITS) {
            return false;
        }
        if (peek() != '.') {
            return true;
        }
        at++;
        int after = digits();
        return mayHavePoint && before <= MOST_DIGITS_BEFORE_POINT && after > 0 && after <= MOST_DIGITS_AFTER_POINT;
    }

    private int digits() {
        int from = at;
        while (isDigit(peek())) {
            at++;
        }
        return at - from;
    }

    private boolean token() {
        while (isLetter(peek()) || isDigit(peek()) || isOneOf("!#$%&'*+-.^_`|~:/", peek())) {
            at++;
        }
        return true;
    }

    private boolean bytes() {
        while (isLetter(peek()) || isDigit(peek()) || isOneOf("+/=", peek())) {
            at++;
        }
        return skip(':');
    }

    /** Percent escapes are checked one by one; that together they are UTF-8 is not, as the value is dropped. */
    private boolean displayString() {
        if (!skip('"')) {
            return false;
        }
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c < ' ' || c > '~' || (c == '%' && !twoHexDigits())) {
                return false;
            }
        }
        return false;
    }

    private boolean twoHexDigits() {
        int from = at;
        while (at < from + 2 && (isDigit(peek()) || (peek() >= 'a' && peek() <= 'f'))) {
            at++;
        }
        return at == from + 2;
    }

    private boolean skip(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    /** The next character, or NUL, which no rule takes, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private static boolean isOneOf(String characters, char c) {
        return characters.indexOf(c) >= 0;
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isLetter(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
