/**
 * The refusals and failures a client can meet, each with the one word that says what to do next.
 *
 * <p>Depends on {@code json}. Deliberately absent: HTTP types; an adapter turns a problem into a response.
 */
@NullMarked
package dev.nonbis.core.problem;

import org.jspecify.annotations.NullMarked;
