/**
 * The server's own keys on disk: made at the first start, readable by their owner alone, rotated by adding one.
 *
 * <p>Depends on {@code core.signing}. Deliberately absent: the keys of callers, which are in {@code server.http}.
 */
@NullMarked
package dev.nonbis.server.signing;

import org.jspecify.annotations.NullMarked;
