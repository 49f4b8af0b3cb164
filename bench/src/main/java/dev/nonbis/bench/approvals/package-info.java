/**
 * The approvals bench: how fast decisions are taken, repeated and contradicted.
 *
 * <p>Depends on {@code bench.measure} and what it stands on. Deliberately absent: measuring itself.
 */
@NullMarked
package dev.nonbis.bench.approvals;

import org.jspecify.annotations.NullMarked;
