package dev.nonbis.server.bus.nats;

import io.nats.client.Connection;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Says in the log what the client library and the broker complain of, beside what shows in the calls that it happens to. */
final class Problems implements ErrorListener {

    private static final Logger LOG = System.getLogger(Problems.class.getName());

    private final String connection;

    Problems(String connection) {
        this.connection = connection;
    }

    @Override
    public void errorOccurred(Connection broker, String error) {
        LOG.log(Level.WARNING, "the broker refuses something on the connection for {0}: {1}", connection, error);
    }

    @Override
    public void exceptionOccurred(Connection broker, Exception failure) {
        LOG.log(Level.DEBUG, "the connection for {0} failed: {1}", connection, failure.toString());
    }

    @Override
    public void slowConsumerDetected(Connection broker, Consumer consumer) {
        LOG.log(Level.WARNING, "more came on the connection for {0} than could be taken", connection);
    }
}
