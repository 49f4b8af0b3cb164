package dev.nonbis.server.http;

import dev.nonbis.core.identity.Actor;
import java.util.Optional;

/** Knows the holders of one kind of token. */
@FunctionalInterface
public interface Tokens {

    /** Whose token this is, if it is a good one of this kind. */
    Optional<Actor> holder(String token);
}
