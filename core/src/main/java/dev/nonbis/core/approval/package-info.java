/**
 * Human decisions: what waits for one, what one call makes of it, and how a repeated call is told apart from a contrary one.
 *
 * <p>Depends on {@code identity} and {@code problem}. Deliberately absent: labels. They tell of a decision; they are never asked for it.
 */
@NullMarked
package dev.nonbis.core.approval;

import org.jspecify.annotations.NullMarked;
