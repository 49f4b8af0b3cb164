package dev.nonbis.core.idempotency;

import java.time.Instant;
import java.util.Optional;

/** A request's wish to be the one request under its key, until the key's retention ends. */
public record Claim(KeyScope scope, Sent sent, Fingerprint fingerprint, Optional<Instant> expiresAt) {}
