/**
 * What may happen: verdicts on jobs, the steps of runs and payments, and the port that gives them.
 *
 * <p>Depends on {@code identity} and {@code json}. Deliberately absent: how a policy is written.
 */
@NullMarked
package dev.nonbis.core.policy;

import org.jspecify.annotations.NullMarked;
