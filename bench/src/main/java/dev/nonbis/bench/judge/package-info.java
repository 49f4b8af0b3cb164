/**
 * Judges a history: what was asked and answered, what happened outside, and what the API tells at the end. One class for each
 * guarantee, each in time linear to the history.
 *
 * <p>Depends on Jackson and on nothing of the server, so that a mistake of the server is not repeated by its judge. Deliberately absent:
 * how the history came about; a simulation and a campaign on real processes are judged alike.
 */
@NullMarked
package dev.nonbis.bench.judge;

import org.jspecify.annotations.NullMarked;
