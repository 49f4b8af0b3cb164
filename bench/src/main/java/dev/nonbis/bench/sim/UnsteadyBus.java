package dev.nonbis.bench.sim;

import dev.nonbis.core.bus.Bus;
import dev.nonbis.core.bus.BusUnavailable;
import dev.nonbis.core.bus.BusUnavailable.Fate;
import dev.nonbis.core.dispatch.Message;
import dev.nonbis.core.identity.TenantId;
import java.util.List;
import java.util.function.Supplier;

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
        return call(() -> "publish " + message.id(), weather::ofPublish, () -> {
            var published = broker.publish(message);
            life.tell(() -> "publish " + message.id() + ": " + published);
            return published;
        });
    }

    @Override
    public List<Message> take(TenantId tenant, List<String> subjects, int max, long bytes) {
        return call(() -> "take", weather::ofBroker, () -> broker.take(tenant, subjects, max, bytes));
    }

    @Override
    public void giveBack(Message message) {
        call(() -> "give back " + message.id(), weather::ofBroker, () -> {
            broker.giveBack(message);
            return message;
        });
    }

    @Override
    public void settle(Message message) {
        call(() -> "settle " + message.id(), weather::ofBroker, () -> {
            broker.settle(message);
            return message;
        });
    }

    /** What is asked of the broker; it happens also when nobody hears the answer. */
    @FunctionalInterface
    private interface Asked<R> {
        R ofBroker();
    }

    private <R> R call(Supplier<String> what, Supplier<Weather.Fault> weatherNow, Asked<R> asked) {
        life.step();
        var fault = weatherNow.get();
        if (fault != Weather.Fault.NONE) {
            life.tell(() -> what.get() + ": " + fault);
        }
        return switch (fault) {
            case NONE -> {
                R result = asked.ofBroker();
                // The answer travels too.
                life.step();
                yield result;
            }
            case CRASH_BEFORE -> throw life.crash();
            case REFUSED -> throw new BusUnavailable(Fate.DID_NOT_HAPPEN, "simulated: " + fault);
            case REQUEST_LOST -> throw new BusUnavailable(Fate.UNKNOWN, "simulated: " + fault);
            case REPLY_LOST -> {
                asked.ofBroker();
                throw new BusUnavailable(Fate.UNKNOWN, "simulated: " + fault);
            }
            case CRASH_AFTER -> {
                asked.ofBroker();
                throw life.crash();
            }
        };
    }
}
