/**
 * The socket shell: Helidon's HTTP/1.1 on virtual threads, TLS, limits, deadlines, graceful drain.
 *
 * <p>Depends on {@code server.http} and Helidon, and is the only package that does. Deliberately absent: routes, authentication
 * and anything else that could be decided without a socket; HTTP/2, which a proxy in front offers.
 */
@NullMarked
package dev.nonbis.server.http.helidon;

import org.jspecify.annotations.NullMarked;
