package dev.nonbis.server.bus.nats;

/** The header of a message whose own headers could not be read. */
public final class MalformedHeaders {

    public static final String MARK = "Nonbis-Malformed";

    private MalformedHeaders() {}
}
