/** Tests of the judges with histories that break each promise, and of whole campaigns. */
@NullMarked
package dev.nonbis.bench.torture;

import org.jspecify.annotations.NullMarked;
