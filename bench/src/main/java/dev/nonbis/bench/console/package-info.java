/**
 * How long pages of the console take while the store is full.
 *
 * <p>Depends on the bench's own HTTP client and load generator. Deliberately absent: a browser; what a page costs the server is the time
 * until its last byte.
 */
@NullMarked
package dev.nonbis.bench.console;

import org.jspecify.annotations.NullMarked;
