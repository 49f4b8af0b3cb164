/**
 * The payments bench: how fast payment requests are decided, replayed and refused, and what the signature of a receipt costs.
 *
 * <p>Depends on {@code bench.measure} and what it stands on. Deliberately absent: measuring itself.
 */
@NullMarked
package dev.nonbis.bench.payments;

import org.jspecify.annotations.NullMarked;
