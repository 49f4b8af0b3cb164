package dev.nonbis.core.identity;

import java.util.regex.Pattern;

/** The name of a tenant; short enough and plain enough to stand in keys, file names and metrics. */
public record TenantId(String value) {

    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");

    public TenantId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("a tenant is 1 to 63 of a-z, 0-9, _ and -, and starts with a letter or digit");
        }
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
