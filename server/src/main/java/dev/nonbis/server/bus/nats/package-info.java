/**
 * The bus on NATS JetStream: streams, durable pull consumers, publishing under names, and the connection that all of it needs.
 *
 * <p>Depends on core's bus port and jnats. Deliberately absent: any promise that a message survives. The store is the truth and the
 * broker a hint; a broker that loses everything costs time, and {@link dev.nonbis.server.bus.nats.Link} notices that it did.
 */
@NullMarked
package dev.nonbis.server.bus.nats;

import org.jspecify.annotations.NullMarked;
