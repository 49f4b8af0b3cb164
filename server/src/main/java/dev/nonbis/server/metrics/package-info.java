/**
 * What is counted and timed, under the names that dashboards and alerts rely on.
 *
 * <p>Depends on {@code core} and Micrometer. Deliberately absent: any decision; nothing asks a metric what to do.
 */
@NullMarked
package dev.nonbis.server.metrics;

import org.jspecify.annotations.NullMarked;
