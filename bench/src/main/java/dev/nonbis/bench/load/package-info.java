/**
 * The load generator: one thread, one selector, many keep-alive connections, closed loop.
 *
 * <p>Depends on HdrHistogram. Deliberately absent: pacing, pipelining and any allocation per request, because the generator shares its
 * cores with what it measures.
 */
@NullMarked
package dev.nonbis.bench.load;

import org.jspecify.annotations.NullMarked;
