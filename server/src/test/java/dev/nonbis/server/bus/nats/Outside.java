package dev.nonbis.server.bus.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import java.io.IOException;

/** Somebody else with a connection to the broker. */
final class Outside implements AutoCloseable {

    private final Connection connection;

    Outside(String url) throws IOException, InterruptedException {
        connection = Nats.connect(url);
    }

    JetStreamManagement management() throws IOException {
        return connection.jetStreamManagement();
    }

    void publish(String subject, byte[] bytes) throws IOException, JetStreamApiException {
        connection.jetStream().publish(subject, bytes);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
