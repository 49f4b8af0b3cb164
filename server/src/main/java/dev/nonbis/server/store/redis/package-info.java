/**
 * The store's back end on a Redis server or cluster, for several servers of ours: rows are strings, the orders in which they are found are
 * sorted sets, and every commit is one script that checks versions first.
 *
 * <p>Depends on core's store port and Jedis. Deliberately absent: locks, anything kept in memory from one transaction to the next, time to
 * live on rows (the operations decide what is forgotten), and on a cluster, where no script reaches two slots, commits for two owners.
 */
@NullMarked
package dev.nonbis.server.store.redis;

import org.jspecify.annotations.NullMarked;
