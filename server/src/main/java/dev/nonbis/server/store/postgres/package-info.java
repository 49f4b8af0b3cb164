/**
 * The store's back end on PostgreSQL, for several servers on one database: a few transactions at a time, each for the rows of some owners,
 * and statements that carry many rows.
 *
 * <p>Depends on core's store port and, for scans, on {@code server.store.sql}. Deliberately absent: an object mapper, stored procedures,
 * and anything kept in memory from one transaction to the next.
 */
@NullMarked
package dev.nonbis.server.store.postgres;

import org.jspecify.annotations.NullMarked;
