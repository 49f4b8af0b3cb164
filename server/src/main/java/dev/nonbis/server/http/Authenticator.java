package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;

/** Finds out who sent a request. */
@FunctionalInterface
public interface Authenticator {

    /** What the request's credential says. */
    sealed interface Result {}

    /** The credential is good. */
    record Known(Actor actor) implements Result {}

    /** There is none. */
    record Missing() implements Result {}

    /** There is one, or more than one, and nobody knows it. */
    record Invalid() implements Result {}

    Result authenticate(Request request);
}
