package dev.nonbis.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** No attempt brought an answer, and nothing can have happened: no request left this machine, or it was a read. */
public final class UnreachableException extends NonbisException {

    private static final long serialVersionUID = 1L;

    /** For carriers and sources of tasks that find nobody to talk to. */
    public UnreachableException(String message, Optional<String> idempotencyKey, @Nullable Throwable cause) {
        super(message, idempotencyKey, cause);
    }
}
