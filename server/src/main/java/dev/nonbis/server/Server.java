package dev.nonbis.server;

import dev.nonbis.server.cli.RunningServer;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;

/** Puts a server together from its configuration. */
public final class Server {

    private Server() {}

    /**
     * Starts a server that accepts requests when this returns.
     *
     * @throws StartRefused when it cannot start
     */
    @SuppressWarnings("DoNotCallSuggester") // replaced by the composition root
    public static RunningServer start(Config config) {
        throw new StartRefused("this build has no server", "build it from a complete source tree");
    }
}
