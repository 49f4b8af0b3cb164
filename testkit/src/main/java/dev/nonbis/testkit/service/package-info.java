/**
 * Services that tests need besides ours, as child processes on loopback ports with directories of their own, to be killed at will.
 *
 * <p>Depends on JUnit for skipping what is not installed. Deliberately absent: containers, downloads, and services that a test did not
 * start itself.
 */
@NullMarked
package dev.nonbis.testkit.service;

import org.jspecify.annotations.NullMarked;
