package dev.nonbis.core.idempotency;

import java.util.Optional;

/** The name a client gives to one request, so that sending it again is not doing it again; 1–255 visible ASCII characters. */
public record IdempotencyKey(String value) {

    public static final int MAX_LENGTH = 255;

    public IdempotencyKey {
        if (!isValid(value)) {
            throw new IllegalArgumentException("a key has 1 to 255 visible ASCII characters");
        }
    }

    public static IdempotencyKey of(String value) {
        return new IdempotencyKey(value);
    }

    /**
     * Reads the header's value: a structured-field string ({@code "abc"}, RFC 9651) or the same characters bare ({@code abc}).
     * Both name the same key.
     *
     * <p>Spaces around either form do not count. Parameters after the quoted form are ignored, as that RFC asks of those who do
     * not know them, but they must be well-formed. The bare form is taken as it stands, semicolons and backslashes included.
     */
    public static Optional<IdempotencyKey> parseHeader(String headerValue) {
        String trimmed = withoutSpaces(headerValue);
        Optional<String> value = trimmed.startsWith("\"") ? StructuredString.read(trimmed) : Optional.of(trimmed);
        return value.filter(IdempotencyKey::isValid).map(IdempotencyKey::new);
    }

    private static boolean isValid(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    private static String withoutSpaces(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (to > from && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }
}
