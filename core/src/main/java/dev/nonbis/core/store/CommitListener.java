package dev.nonbis.core.store;

/** Hears of every batch after its fate is known; must be quick, it is called on the writer's thread. */
public interface CommitListener {

    CommitListener SILENT = (operations, nanos) -> {};

    /**
     * A batch of this many operations was committed.
     *
     * @param nanos time spent in the back end, the flush to disk included
     */
    void committed(int operations, long nanos);
}
