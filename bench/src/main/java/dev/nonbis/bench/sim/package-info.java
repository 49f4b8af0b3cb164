/**
 * The whole plane in a simulation: the real handlers, operations, loops and retrying clients on a simulated clock, store, broker and
 * network, one step at a time, in an order that a seed decides.
 *
 * <p>Depends on core, sdk, server and testkit for what is simulated, and on {@code judge} for what is made of it. Deliberately absent:
 * real time, sockets, files, and two things that happen at once.
 */
@NullMarked
package dev.nonbis.bench.sim;

import org.jspecify.annotations.NullMarked;
