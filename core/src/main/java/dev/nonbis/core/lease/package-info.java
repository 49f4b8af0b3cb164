/**
 * Which of several servers does a piece of background work.
 *
 * <p>Depends on nothing of ours. Deliberately absent: time of day, for clocks differ.
 */
@NullMarked
package dev.nonbis.core.lease;

import org.jspecify.annotations.NullMarked;
