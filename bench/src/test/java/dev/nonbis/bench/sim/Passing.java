package dev.nonbis.bench.sim;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import java.util.List;

/** A bus that passes everything on. */
class Passing implements Bus {

    private final Bus bus;

    Passing(Bus bus) {
        this.bus = bus;
    }

    @Override
    public Published publish(Message message) {
        return bus.publish(message);
    }

    @Override
    public List<Message> take(TenantId tenant, List<String> subjects, int max, long bytes) {
        return bus.take(tenant, subjects, max, bytes);
    }

    @Override
    public void giveBack(Message message) {
        bus.giveBack(message);
    }

    @Override
    public void settle(Message message) {
        bus.settle(message);
    }
}
