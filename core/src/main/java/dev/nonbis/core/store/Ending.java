package dev.nonbis.core.store;

import java.util.Collection;

/** Waiting for threads that have been told to end. */
public final class Ending {

    private Ending() {}

    /** Waits for all of them, whatever happens to the caller meanwhile: what they hold must not be closed under them. */
    public static void await(Collection<Thread> threads) {
        boolean interrupted = false;
        for (var thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
