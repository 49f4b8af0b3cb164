package dev.nonbis.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many connections the process' limit of file descriptors has room for. */
final class Descriptors {

    /** For the store, the bus, webhooks, log files and the management listener. */
    private static final int RESERVE = 192;

    private static final int PART_FOR_RESERVE = 4;

    private Descriptors() {}

    /** As many of the configured connections as there are descriptors for beyond those that are open and a reserve. */
    static int connections(int configured) {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system)) {
            return configured;
        }
        return connections(configured, system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount());
    }

    static int connections(int configured, long limit, long open) {
        long free = Math.max(0, limit - open);
        return Math.clamp(free - Math.min(RESERVE, free / PART_FOR_RESERVE), 1, configured);
    }
}
