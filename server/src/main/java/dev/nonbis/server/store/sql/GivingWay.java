package dev.nonbis.server.store.sql;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * Lets a thread use the processor when others do not want it. The virtual machine's own priorities do nothing on Linux unless it is told
 * to change those of its compilers and collectors as well.
 */
final class GivingWay {

    private static final Logger LOG = System.getLogger(GivingWay.class.getName());

    // A quarter of a processor that others want all the time is still its own.
    private static final int STEPS = 5;

    private GivingWay() {}

    /** From now on the calling thread, which must not be a virtual one, gives way. Where that cannot be had it goes on as before. */
    @SuppressWarnings("restricted") // the launcher allows it, and a refusal does no harm
    static void begin() {
        // Elsewhere this would concern the whole process.
        if (!System.getProperty("os.name").equals("Linux")) {
            return;
        }
        try {
            var linker = Linker.nativeLinker();
            var nice = linker.downcallHandle(
                    linker.defaultLookup().find("nice").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int level = (int) nice.invokeExact(STEPS);
            LOG.log(Level.DEBUG, "gives way from level {0} on", level);
        } catch (Throwable refused) {
            LOG.log(Level.DEBUG, "cannot give way", refused);
        }
    }
}
