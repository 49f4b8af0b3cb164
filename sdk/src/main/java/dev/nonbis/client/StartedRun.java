package dev.nonbis.client;

/**
 * A run that exists.
 *
 * @param answer the whole answer; {@link Answer#replayed} says whether the run had existed before
 */
public record StartedRun(String runId, Answer answer) {}
