/**
 * Measuring any scenario: phases in interleaved rounds, figures per phase, targets, and the report as table, JSON and plot.
 *
 * <p>Depends on {@code bench.load} and {@code bench.process}. Deliberately absent: what is measured; a scenario brings its own phases.
 */
@NullMarked
package dev.nonbis.bench.measure;

import org.jspecify.annotations.NullMarked;
