/** Tests of {@code bench.process}. */
@NullMarked
package dev.nonbis.bench.process;

import org.jspecify.annotations.NullMarked;
