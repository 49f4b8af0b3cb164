/**
 * HTTP as plain functions: a request in, a response out, one table of routes, problems and authentication.
 *
 * <p>Depends on core. Deliberately absent: sockets and any web framework's types, so that a test or the simulator can call every
 * handler directly.
 */
@NullMarked
package dev.nonbis.server.http;

import org.jspecify.annotations.NullMarked;
