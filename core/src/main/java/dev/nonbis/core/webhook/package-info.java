/**
 * Webhooks: where a tenant wants to be told of its events, and how far that has come.
 *
 * <p>Depends on {@code identity}. Deliberately absent: sending, storage and time; these are rules and values.
 */
@NullMarked
package dev.nonbis.core.webhook;

import org.jspecify.annotations.NullMarked;
