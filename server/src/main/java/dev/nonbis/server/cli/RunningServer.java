package dev.nonbis.server.cli;

import java.net.URI;

/** A server that accepts requests until it is closed. */
public interface RunningServer extends AutoCloseable {

    /** Where the API and the UI are, with the port that was really taken. */
    URI url();

    /** Where metrics and health are. */
    URI managementUrl();

    /** A link to the console that signs in whoever follows it first, within an hour. */
    URI signInLink(String token);

    /** Returns when the server has stopped, for whatever reason. */
    void awaitStop() throws InterruptedException;

    /** Takes no new requests, finishes those it has, and stops. Idempotent. */
    @Override
    void close();
}
