package dev.nonbis.server.store.postgres;

import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.service.Installed;
import dev.nonbis.testkit.service.Services;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What tests on a real PostgreSQL share. */
public final class Postgres {

    static final Duration PATIENCE = Duration.ofSeconds(2);

    private Postgres() {}

    /** Starts one, or skips the test when it is not installed; where everything must be tested, that is a failure. */
    public static PostgresServer startOrSkip(String... settings) throws IOException {
        Installed.require(Services.NEWEST ? "the newest PostgreSQL" : "PostgreSQL", PostgresServer.binaries());
        return PostgresServer.start(settings);
    }

    static PostgresAddress address(PostgresServer server, String database) {
        return new PostgresAddress(server.host() + ":" + server.port(), database, server.user(), "", Map.of());
    }

    static PostgresStore.Settings strict() {
        return new PostgresStore.Settings(6, 6, PATIENCE, true);
    }
}
