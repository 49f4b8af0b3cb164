/**
 * Several servers on one store under every kind of load, while servers, store and broker are killed,
 * servers are stopped, and no two clocks agree.
 *
 * <p>Depends on {@code bench.judge}, {@code bench.http}, {@code bench.process}, the testkit's servers. Deliberately absent: any class of the
 * server, and rules of its own for what is right, which are the judge's.
 */
@NullMarked
package dev.nonbis.bench.cluster;

import org.jspecify.annotations.NullMarked;
