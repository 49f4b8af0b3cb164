/**
 * Durable state: a unit of work for the operations, group commit, and the three duties of a back end below it.
 *
 * <p>Depends on the rules' records for its tables. Deliberately absent: SQL, a query language, locks that a caller could hold, and
 * any transaction that outlives one block.
 */
@NullMarked
package dev.nonbis.core.store;

import org.jspecify.annotations.NullMarked;
