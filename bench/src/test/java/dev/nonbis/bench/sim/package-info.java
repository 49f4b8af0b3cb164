/** Tests of the simulation: that a seed decides everything, that the plane as it is holds, and that a plane with a bug does not. */
@NullMarked
package dev.nonbis.bench.sim;

import org.jspecify.annotations.NullMarked;
