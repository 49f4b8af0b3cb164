package dev.nonbis.server.cli;

import dev.nonbis.server.config.Config;

/** Starts servers for {@code serve} and {@code dev}. */
@FunctionalInterface
public interface ServerLauncher {

    /**
     * Returns once requests are accepted.
     *
     * @throws StartRefused when the server cannot start
     */
    RunningServer start(Config config);
}
