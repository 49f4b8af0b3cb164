/** Tests of the judges with histories that break each promise, and of whole campaigns. */
@NullMarked
package dev.nonbis.bench.cluster;

import org.jspecify.annotations.NullMarked;
