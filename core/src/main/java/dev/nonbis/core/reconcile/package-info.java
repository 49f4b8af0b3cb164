/**
 * What has to happen to a job that has waited long enough.
 *
 * <p>Depends on {@code job} and {@code dispatch}. Deliberately absent: storage and loops; the rules are one pure function.
 */
@NullMarked
package dev.nonbis.core.reconcile;

import org.jspecify.annotations.NullMarked;
