/**
 * Drills: what the documents promise, tried step by step on a live server by whoever has a key for it.
 *
 * <p>Depends on the client of the sdk alone: a drill sees what any customer sees. Deliberately absent: classes of the server, and anything
 * that a drill would leave behind outside its own tenant.
 */
@NullMarked
package dev.nonbis.server.drill;

import org.jspecify.annotations.NullMarked;
