package dev.nonbis.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call did not succeed; the subclass says what is known about its effect. */
public abstract sealed class NonbisException extends RuntimeException
        permits ProblemException, OutcomeUnknownException, UnreachableException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // an Optional of a String; nobody serialises this
    private final Optional<String> idempotencyKey;

    NonbisException(String message, Optional<String> idempotencyKey, @Nullable Throwable cause) {
        super(message, cause);
        this.idempotencyKey = idempotencyKey;
    }

    /** The key the call was sent under. Sending the same call under the same key is always safe. */
    public Optional<String> idempotencyKey() {
        return idempotencyKey;
    }
}
