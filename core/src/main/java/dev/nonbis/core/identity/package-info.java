/**
 * Who acts, on what, and when: the names and times that every other package passes around.
 *
 * <p>Depends on nothing of ours. Deliberately absent: where ids and the current time come from; those are ports.
 */
@NullMarked
package dev.nonbis.core.identity;

import org.jspecify.annotations.NullMarked;
