package dev.nonbis.core.idempotency;

import java.util.Optional;

/** What a look at committed rows found under a key. It may be old by the time it is used, so that a transaction checks it. */
public record Look(Optional<KeyRecord> found) {}
