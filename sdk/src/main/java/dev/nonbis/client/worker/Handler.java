package dev.nonbis.client.worker;

/** Does the work of one task. */
@FunctionalInterface
public interface Handler {

    /**
     * Does the work and says how it ended. What it throws is reported as {@link Outcome#retryable}.
     *
     * @throws Exception when the work could not be done now
     */
    Outcome handle(Task task) throws Exception;
}
