package dev.nonbis.server;

import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.core.run.EvaluationsOverloaded;
import dev.nonbis.core.store.StoreDamaged;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.server.http.Failures;
import dev.nonbis.server.metrics.Metrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

/**
 * What a client is told when the store fails or too many expressions wait: whether its request may have happened, and when to send it
 * again; or that what is stored is damaged.
 */
public final class StoreFailures implements Failures {

    private static final Logger LOG = System.getLogger(StoreFailures.class.getName());

    private final Metrics metrics;

    public StoreFailures(Metrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public Optional<Problem> problemFor(RuntimeException failure) {
        return switch (failure) {
            case StoreUnavailable unavailable -> Optional.of(problem(unavailable));
            case StoreDamaged damaged -> Optional.of(problem(damaged));
            case EvaluationsOverloaded overloaded ->
                Optional.of(
                        Problem.of(ProblemCode.OVERLOADED, "Too many expressions of this tenant wait to be evaluated.")
                                .after(Duration.ofSeconds(1)));
            default -> Optional.empty();
        };
    }

    private Problem problem(StoreDamaged damaged) {
        metrics.damaged();
        LOG.log(Level.ERROR, "the store is damaged: " + damaged.getMessage(), damaged.getCause());
        return Problem.of(ProblemCode.STORE_DAMAGED, "A stored row that this request needs is not what was written.");
    }

    private static Problem problem(StoreUnavailable failure) {
        if (failure.fate() == Fate.UNKNOWN) {
            return Problem.of(ProblemCode.OUTCOME_UNKNOWN, "The store did not say whether it kept this request.")
                    .after(Duration.ofSeconds(1));
        }
        return switch (failure.why()) {
            case OVERLOADED ->
                Problem.of(ProblemCode.OVERLOADED, "Too many requests wait for the store.")
                        .after(Duration.ofSeconds(1));
            case BUSY ->
                Problem.of(ProblemCode.ADMISSION_BUSY, "Another server held the tenant for too long.")
                        .after(Duration.ofSeconds(1));
            case FULL ->
                Problem.of(ProblemCode.STORAGE_FULL, "The store has no space left.")
                        .after(Duration.ofSeconds(10));
            case CLOSED ->
                Problem.of(ProblemCode.SHUTTING_DOWN, "The server is stopping.").after(Duration.ofSeconds(2));
            case FAILED ->
                Problem.of(ProblemCode.STORE_UNAVAILABLE, "The store did not take this request.")
                        .after(Duration.ofSeconds(1));
        };
    }
}
