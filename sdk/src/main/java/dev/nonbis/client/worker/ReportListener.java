package dev.nonbis.client.worker;

/** Hears what the server said to a report, after it did: for counting and for logs. */
@FunctionalInterface
public interface ReportListener {

    /**
     * A report came to its end.
     *
     * @param answer {@code recorded}, {@code already_recorded}, or the code of the problem for which it was not taken
     */
    void reported(Task task, Outcome outcome, String answer);
}
