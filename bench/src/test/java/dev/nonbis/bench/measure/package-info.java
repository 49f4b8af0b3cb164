/** Tests of {@code bench.measure}. */
@NullMarked
package dev.nonbis.bench.measure;

import org.jspecify.annotations.NullMarked;
