/** Tests of {@code bench.abuse}. */
@NullMarked
package dev.nonbis.bench.abuse;

import org.jspecify.annotations.NullMarked;
