/**
 * A real Redis for tests: a process of its own in a temporary directory, started, stopped and killed as a test says.
 *
 * <p>Depends on nothing of ours. Deliberately absent: a driver; whoever uses the database brings one.
 */
@NullMarked
package dev.nonbis.testkit.redis;

import org.jspecify.annotations.NullMarked;
