package dev.nonbis.server.http;

import dev.nonbis.core.problem.Problem;
import java.util.Optional;

/** Says which failures of the world a client is told about as such; every other one is an internal error. */
@FunctionalInterface
public interface Failures {

    Failures NONE = failure -> Optional.empty();

    Optional<Problem> problemFor(RuntimeException failure);
}
