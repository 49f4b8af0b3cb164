/**
 * The admission bench: how fast keyed submissions are taken, replayed and refused, on a small store and on a large one.
 *
 * <p>Depends on {@code bench.measure} and what it stands on. Deliberately absent: measuring itself.
 */
@NullMarked
package dev.nonbis.bench.admission;

import org.jspecify.annotations.NullMarked;
