/**
 * The store's back end in SQL: one set of statements for every database, and for each database a dialect that says how to open it,
 * how to begin, and what its errors mean. Before SQLite stands a journal, which the database follows.
 *
 * <p>Depends on core's store port. Deliberately absent: an object mapper, a query builder, and any statement that only one
 * operation needs.
 */
@NullMarked
package dev.nonbis.server.store.sql;

import org.jspecify.annotations.NullMarked;
