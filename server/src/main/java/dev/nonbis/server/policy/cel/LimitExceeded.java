package dev.nonbis.server.policy.cel;

/**
 * Ends an evaluation at a limit; never leaves this package. It is an error because CEL turns exceptions into values, which {@code ||}
 * and {@code &&} ignore.
 */
final class LimitExceeded extends Error {

    private static final long serialVersionUID = 1L;

    LimitExceeded(String why) {
        super(why, null, false, false);
    }
}
