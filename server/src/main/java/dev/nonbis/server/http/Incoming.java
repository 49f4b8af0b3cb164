package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;

/** What the router asks of the connection that a request came over. Either call may end the request with a {@link Refusal}. */
public interface Incoming {

    /** The request's credential is good. */
    void authenticated(Actor actor);

    /** Reads the body, which may have this many bytes. */
    byte[] body(int maxBytes);

    /** A request whose body was read before. */
    static Incoming whole(Request request) {
        return new Incoming() {
            @Override
            public void authenticated(Actor actor) {}

            @Override
            public byte[] body(int maxBytes) {
                return request.body();
            }
        };
    }
}
