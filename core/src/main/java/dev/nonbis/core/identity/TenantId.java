package dev.nonbis.core.identity;

import java.util.Optional;
import java.util.regex.Pattern;

/** A tenant's name: lowercase letters, digits, {@code _} and {@code -}, at most 63 of them. */
public record TenantId(String value) {

    private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");

    public TenantId {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("not a tenant id: " + value);
        }
    }

    /** The tenant id that this text is, if it is one. */
    public static Optional<TenantId> parse(String text) {
        return SHAPE.matcher(text).matches() ? Optional.of(new TenantId(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
