/**
 * One class for each thing that can be done. Each reads the world, then changes the store in one transaction.
 *
 * <p>Depends on the rules and the store. Deliberately absent: HTTP, SQL, threads, and a clock of its own.
 */
@NullMarked
package dev.nonbis.core.operation;

import org.jspecify.annotations.NullMarked;
