/**
 * What makes a request the same request: the key a client sends and what is kept under it.
 *
 * <p>Depends on {@code identity} and {@code json}. Deliberately absent: an in-progress state; a key is settled or free.
 */
@NullMarked
package dev.nonbis.core.idempotency;

import org.jspecify.annotations.NullMarked;
