package dev.nonbis.server.ui;

import java.time.Instant;

/**
 * Somebody signed in.
 *
 * @param token the credential, which is asked for its holder at every request, so that a revoked one ends the session
 * @param id drawn by chance; what forms carry is derived from it
 */
record Session(String token, String id, Instant startedAt) {}
