package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;
import java.util.Optional;

/** A request that passed every check of its route, with the caller if the route asks for one. */
public record Call(Request request, Optional<Actor> caller) {

    public Actor actor() {
        return caller.orElseThrow(() -> new IllegalStateException("an open route has no actor"));
    }
}
