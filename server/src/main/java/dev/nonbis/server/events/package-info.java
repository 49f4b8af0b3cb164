/**
 * What happens, told while it happens: a tenant's audit log as server-sent events.
 *
 * <p>Depends on {@code core} and {@code server.http}. Deliberately absent: a queue of its own. The log is what is read, so that a
 * listener who comes back misses nothing and a slow one costs no memory.
 */
@NullMarked
package dev.nonbis.server.events;

import org.jspecify.annotations.NullMarked;
