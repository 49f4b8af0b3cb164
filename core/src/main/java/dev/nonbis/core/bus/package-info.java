/**
 * The bus: a port for those who carry messages, and the one that needs nothing besides the store.
 *
 * <p>Depends on {@code dispatch} and {@code store}. Deliberately absent: threads, waiting, and any promise that a message arrives once:
 * a bus may lose, repeat or delay what it carries, and the job's state decides.
 */
@NullMarked
package dev.nonbis.core.bus;

import org.jspecify.annotations.NullMarked;
