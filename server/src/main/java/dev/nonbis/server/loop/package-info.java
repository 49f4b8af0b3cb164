/**
 * Background work: calls an operation again and again until stopped, and outlives a store or bus that is away.
 *
 * <p>Depends on {@code core}. Deliberately absent: the work itself, which is an operation that a test can call.
 */
@NullMarked
package dev.nonbis.server.loop;

import org.jspecify.annotations.NullMarked;
