/**
 * Real faults under a real server: stopped processes, cut connections, full, slow, failing and lying disks, clocks that jump, and power
 * failures. What clients saw is recorded and judged as a simulation is.
 *
 * <p>Depends on {@code bench.http}, {@code bench.process}, {@code bench.judge} and the testkit's proxy. Deliberately absent: anything inside
 * the server that knows of a fault; the disk and the clock are put between it and the system from outside.
 */
@NullMarked
package dev.nonbis.bench.faults;

import org.jspecify.annotations.NullMarked;
