package dev.nonbis.core.identity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a credential may do. */
public enum Role {
    SUBMITTER,
    APPROVER,
    WORKER,
    OPERATOR,
    AUDITOR,
    /** All of the others. */
    ADMIN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
