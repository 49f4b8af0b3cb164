/**
 * The store's reference implementation, the contract that every back end must pass, and a wrapper that makes one fail.
 *
 * <p>Depends on core's store port, JUnit and AssertJ. Deliberately absent: anything that a server ships.
 */
@NullMarked
package dev.nonbis.testkit.store;

import org.jspecify.annotations.NullMarked;
