/**
 * The API as request and reply over NATS, for workers that have a connection to the broker and none to the server.
 *
 * <p>Depends on {@code server.http} and jnats. Deliberately absent: routes, authentication and answers of its own. A request is what it
 * would be over HTTP, with the same credential, so that whoever can reach the broker can do no more than before.
 */
@NullMarked
package dev.nonbis.server.http.nats;

import org.jspecify.annotations.NullMarked;
