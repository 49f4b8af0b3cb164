/**
 * Sends a running server what its own description allows, and what it just does not allow.
 *
 * <p>Depends on {@code http} and Jackson. Deliberately absent: any class of the server, and any knowledge of single operations.
 */
@NullMarked
package dev.nonbis.bench.fuzz;

import org.jspecify.annotations.NullMarked;
