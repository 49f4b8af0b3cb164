package dev.nonbis.server.bus.nats;

import dev.nonbis.core.identity.TenantId;
import io.nats.client.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What a bus told whoever runs it. */
final class Told implements NatsBus.Events {

    final AtomicInteger losses = new AtomicInteger();
    final List<NatsBus.Unreadable> unreadable = new CopyOnWriteArrayList<>();

    @Override
    public void news(TenantId tenant, String topic) {}

    @Override
    public void connected(Connection connection) {}

    @Override
    public void changed() {}

    @Override
    public void lost() {
        losses.incrementAndGet();
    }

    @Override
    public void unreadable(NatsBus.Unreadable message) {
        unreadable.add(message);
    }
}
