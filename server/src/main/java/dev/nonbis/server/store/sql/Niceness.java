package dev.nonbis.server.store.sql;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * How far a thread gives way. The system's scheduler lets a thread that works for milliseconds keep its processor while others are ready
 * behind it, even if the next processor is idle; one that counts for less is interrupted as soon as another wakes up.
 */
final class Niceness {

    private static final Logger LOG = System.getLogger(Niceness.class.getName());

    /** Where nobody else wants the processor it changes nothing; where everybody does, it leaves about a tenth of one. */
    static final int BACKGROUND = 10;

    // The calling thread; elsewhere than on Linux this would be the whole process.
    private static final int PRIO_PROCESS = 0;
    private static final int CALLER = 0;

    private Niceness() {}

    /**
     * Lets the calling thread, and every thread that it starts from now on, give way to others for good. It must therefore not wake virtual
     * threads: that may start one that carries them. Only speed depends on it, so where it cannot be had nothing is changed.
     */
    @SuppressWarnings("restricted") // a call without memory of ours; SQLite needs native access anyway
    static void giveWay() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return;
        }
        try {
            var linker = Linker.nativeLinker();
            var setpriority = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("setpriority"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int refused = (int) setpriority.invokeExact(PRIO_PROCESS, CALLER, BACKGROUND);
            if (refused != 0) {
                LOG.log(Level.DEBUG, "the system does not let a thread give way");
            }
        } catch (Throwable unavailable) {
            LOG.log(Level.DEBUG, "a thread cannot give way", unavailable);
        }
    }
}
