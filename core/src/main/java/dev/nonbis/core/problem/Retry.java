package dev.nonbis.core.problem;

import java.util.Locale;

/** What a client should do after a problem. */
public enum Retry {
    /** Send the same request again, with the same key. */
    SAME_KEY,
    /** Nothing was recorded: correct the request; the key is free. */
    FIX_REQUEST,
    /** The key belongs to something else: use another. */
    NEW_KEY,
    /** Sending this again will never help. */
    NEVER;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }
}
