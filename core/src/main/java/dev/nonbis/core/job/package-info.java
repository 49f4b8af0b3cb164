/**
 * Jobs: their states, the one table that says how they move, and what is remembered of each.
 *
 * <p>Depends on {@code identity}, {@code idempotency} and {@code json}. Deliberately absent: time and storage; a job is a value, and every change makes a
 * new one.
 */
@NullMarked
package dev.nonbis.core.job;

import org.jspecify.annotations.NullMarked;
