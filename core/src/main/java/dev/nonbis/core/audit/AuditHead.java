package dev.nonbis.core.audit;

import java.time.Instant;

/** The last event of a chain. */
public record AuditHead(long seq, String hash, Instant at) {

    /** Before the first event. */
    public static final AuditHead NONE = new AuditHead(0, "0".repeat(64), Instant.EPOCH);
}
