/**
 * The socket shell: Jetty's HTTP/1.1 and HTTP/2, TLS, limits on connections, deadlines, graceful drain.
 *
 * <p>Depends on {@code server.http} and Jetty, and is the only package that does. A few selector threads watch the sockets and parse
 * nothing; each request is parsed, handled and answered on a virtual thread of its own, which may block. Jetty decides what is valid HTTP.
 * Ours are the deadlines and the limits: {@code Client} is one connection and knows what it waits for, {@code Clients} is all of a
 * listener's and decides which one gives way. Deliberately absent: routes, authentication and anything else that could be decided without
 * a socket.
 */
@NullMarked
package dev.nonbis.server.http.jetty;

import org.jspecify.annotations.NullMarked;
