/**
 * Dispatch: what a message is called, how long to wait between tries, what each topic allows, and the rows of the embedded queue.
 *
 * <p>Depends on {@code job}, {@code identity} and {@code json}. Deliberately absent: storage, buses and time; these are rules and values.
 */
@NullMarked
package dev.nonbis.core.dispatch;

import org.jspecify.annotations.NullMarked;
