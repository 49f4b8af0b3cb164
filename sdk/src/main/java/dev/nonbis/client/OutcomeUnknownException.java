package dev.nonbis.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The call was sent and no attempt brought a final answer, so it may have taken effect. Send the same call again under
 * {@link #idempotencyKey}: it then takes effect, or its recorded answer comes back.
 */
public final class OutcomeUnknownException extends NonbisException {

    private static final long serialVersionUID = 1L;

    OutcomeUnknownException(String message, Optional<String> idempotencyKey, @Nullable Throwable cause) {
        super(message, idempotencyKey, cause);
    }
}
