package dev.nonbis.bench.sim;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.EmbeddedBus;
import dev.nonbis.core.operation.DispatchPorts;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Store;
import dev.nonbis.server.http.Route;
import java.time.Duration;
import java.util.List;

/** How the simulated plane is put together. The usual way takes every part as it is; a test may put another in its place. */
public interface Variation {

    Variation USUAL = new Variation() {};

    /** Something that a server does again and again without being asked. */
    record Duty(String name, Duration every, Runnable work) {}

    default Backend backend(Backend usual) {
        return usual;
    }

    default Policy policy(Policy usual, Store store) {
        return usual;
    }

    /** A server's way to the bus. */
    default Bus bus(Bus usual, Store store) {
        return usual;
    }

    /** The broker itself. */
    default Bus broker(EmbeddedBus usual, Store memory) {
        return usual;
    }

    default List<Route> routes(List<Route> usual, Store store) {
        return usual;
    }

    default List<Duty> duties(List<Duty> usual, DispatchPorts ports) {
        return usual;
    }
}
