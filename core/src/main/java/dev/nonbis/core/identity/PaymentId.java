package dev.nonbis.core.identity;

import java.util.Optional;

/** The name of a payment. */
public record PaymentId(String value) {

    static final String PREFIX = "pay_";

    /** The id if the text can be one; anything else names no payment. */
    public static Optional<PaymentId> of(String text) {
        return Ids.isValid(PREFIX, text) ? Optional.of(new PaymentId(text)) : Optional.empty();
    }

    @Override
    public String toString() {
        return value;
    }
}
