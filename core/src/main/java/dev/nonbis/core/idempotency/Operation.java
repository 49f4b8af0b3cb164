package dev.nonbis.core.idempotency;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The operations whose keys live apart from each other. */
public enum Operation {
    JOBS,
    RUNS,
    PAYMENTS;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static Optional<Operation> of(String word) {
        return Arrays.stream(values())
                .filter(operation -> operation.word().equals(word))
                .findFirst();
    }
}
