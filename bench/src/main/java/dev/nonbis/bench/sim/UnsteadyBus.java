package dev.nonbis.bench.sim;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import java.util.List;

/** One server's way to the shared broker, which fails as the way to the store does. */
final class UnsteadyBus implements Bus {

    private final Broker broker;
    private final SimulatedServer.Life life;
    private final Weather weather;

    UnsteadyBus(Broker broker, SimulatedServer.Life life, Weather weather) {
        this.broker = broker;
        this.life = life;
        this.weather = weather;
    }

    @Override
    public Published publish(Message message) {
        life.step();
        var fault = weather.ofPublish();
        life.tell("publish " + message.id(), fault);
        return switch (fault) {
            case NONE -> {
                var published = broker.publish(message);
                life.step();
                yield published;
            }
            case CRASH_BEFORE -> throw life.crash();
            case REFUSED -> throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "simulated: " + fault);
            case REQUEST_LOST -> throw new BusUnavailable(Fate.UNKNOWN, "simulated: " + fault);
            case REPLY_LOST -> {
                broker.publish(message);
                throw new BusUnavailable(Fate.UNKNOWN, "simulated: " + fault);
            }
            case CRASH_AFTER -> {
                broker.publish(message);
                throw life.crash();
            }
        };
    }

    @Override
    public List<Message> take(TenantId tenant, List<String> subjects, int max) {
        failUnlessNone("take");
        return broker.take(tenant, subjects, max);
    }

    @Override
    public void settle(Message message) {
        failUnlessNone("settle");
        broker.settle(message);
    }

    private void failUnlessNone(String what) {
        life.step();
        var fault = weather.ofBroker();
        life.tell("broker " + what, fault);
        switch (fault) {
            case NONE -> {}
            case CRASH_BEFORE, CRASH_AFTER -> throw life.crash();
            case REFUSED, REQUEST_LOST, REPLY_LOST ->
                throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "simulated: " + fault);
        }
    }
}
