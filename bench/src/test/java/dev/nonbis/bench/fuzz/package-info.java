/** Has a real server fuzzed, shortly. */
@NullMarked
package dev.nonbis.bench.fuzz;

import org.jspecify.annotations.NullMarked;
