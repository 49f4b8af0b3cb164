/**
 * Workflows and their runs: what a definition must look like, which steps may start, and what state a run is in.
 *
 * <p>Depends on {@code job}, {@code identity} and {@code json}. Deliberately absent: the expression language, which is a port.
 */
@NullMarked
package dev.nonbis.core.run;

import org.jspecify.annotations.NullMarked;
