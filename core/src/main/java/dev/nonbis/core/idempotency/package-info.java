/**
 * Keys: how they read, what they claim, and how a request under a key can end.
 *
 * <p>Depends on {@code identity}, {@code problem} and {@code json}. Deliberately absent: an in-progress state. A key is free or
 * settled; nothing lies between.
 */
@NullMarked
package dev.nonbis.core.idempotency;

import org.jspecify.annotations.NullMarked;
