/** Tests of {@code bench.admission}. */
@NullMarked
package dev.nonbis.bench.admission;

import org.jspecify.annotations.NullMarked;
