package dev.nonbis.core.operation;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.dispatch.Topics;
import dev.nonbis.core.store.Store;
import java.time.Instant;

/** What the operations between a job's admission and its result touch besides the rest. */
public record DispatchPorts(Ports ports, Bus bus, Topics topics, DispatchListener listener) {

    Store store() {
        return ports.store();
    }

    Instant now() {
        return ports.clock().instant();
    }
}
