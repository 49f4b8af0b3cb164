/**
 * The server as a child process: its configuration, its start, its death, and what the operating system says about it.
 *
 * <p>Depends on {@code bench.http}. Deliberately absent: starting the server inside this JVM, where a kill would kill the judge too.
 */
@NullMarked
package dev.nonbis.bench.process;

import org.jspecify.annotations.NullMarked;
