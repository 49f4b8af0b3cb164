package dev.nonbis.core.identity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a credential allows; {@link #ADMIN} includes every other role. */
public enum Role {
    SUBMITTER,
    APPROVER,
    WORKER,
    OPERATOR,
    AUDITOR,
    ADMIN;

    private final String word = name().toLowerCase(Locale.ROOT);

    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word.equals(word)).findFirst();
    }

    public String word() {
        return word;
    }
}
