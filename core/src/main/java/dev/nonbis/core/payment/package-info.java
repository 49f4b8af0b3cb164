/**
 * Payments by agents: what a request must look like, what was decided about it, how budgets are counted, and the receipt that proves
 * the decision.
 *
 * <p>Depends on {@code policy}, {@code identity}, {@code problem} and {@code json}. Deliberately absent: moving money. A payment here is
 * a decision that somebody else carries out.
 */
@NullMarked
package dev.nonbis.core.payment;

import org.jspecify.annotations.NullMarked;
