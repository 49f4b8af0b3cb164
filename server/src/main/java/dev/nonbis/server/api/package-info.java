/**
 * The API: one handler class for each kind of thing, and the table of all routes.
 *
 * <p>Depends on {@code core} and {@code server.http}. Deliberately absent: sockets, storage, and rules; a handler reads a request, calls
 * one operation and tells how it ended.
 */
@NullMarked
package dev.nonbis.server.api;

import org.jspecify.annotations.NullMarked;
