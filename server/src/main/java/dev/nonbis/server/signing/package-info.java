/**
 * The server's own keys on disk: made at the first start, readable by their owner alone, rotated by adding one, and the
 * arithmetic that signs with them.
 *
 * <p>Depends on {@code core.signing} and Bouncy Castle. Deliberately absent: the keys of callers, which are in {@code server.http}, and
 * checking signatures, which is left to the platform so that two implementations have to agree.
 */
@NullMarked
package dev.nonbis.server.signing;

import org.jspecify.annotations.NullMarked;
