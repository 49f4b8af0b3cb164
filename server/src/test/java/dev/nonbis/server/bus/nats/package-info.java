/** Tests of the bus on a real NATS server. */
@NullMarked
package dev.nonbis.server.bus.nats;

import org.jspecify.annotations.NullMarked;
