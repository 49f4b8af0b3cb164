/**
 * The contract that every bus must pass, and a wrapper that makes one fail.
 *
 * <p>Depends on core's bus port, JUnit and AssertJ. Deliberately absent: anything that a server ships.
 */
@NullMarked
package dev.nonbis.testkit.bus;

import org.jspecify.annotations.NullMarked;
