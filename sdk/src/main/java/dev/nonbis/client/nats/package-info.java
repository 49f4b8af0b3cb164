/**
 * Workers that need a connection to NATS alone: they hear of work from JetStream, and call the server by request and reply.
 *
 * <p>Depends on jnats, which applications that want this add themselves, and on the client. Deliberately absent: making streams or
 * consumers, which is the server's; and any way around its answer to a start.
 */
@NullMarked
package dev.nonbis.client.nats;

import org.jspecify.annotations.NullMarked;
