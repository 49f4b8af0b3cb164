package dev.nonbis.server;

import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.store.postgres.Postgres;
import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.service.EveryRelease;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;

/** Several servers on one PostgreSQL. */
@EveryRelease
final class SeveralServersTest extends ServersContract {

    private static final String DATABASE = "servers";

    private static @Nullable PostgresServer postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = Postgres.startOrSkip();
        postgres.createDatabase(DATABASE);
    }

    @Override
    void stopStore() {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Override
    StoreUrl url() {
        return new StoreUrl.Postgres(
                postgres().host() + ":" + postgres().port(),
                DATABASE,
                postgres().user(),
                "",
                Map.of());
    }

    @Override
    String loosen() throws IOException {
        postgres().sql(DATABASE, "ALTER DATABASE " + DATABASE + " SET synchronous_commit = off");
        return "synchronous_commit is off";
    }

    @Override
    void tighten() throws IOException {
        postgres().sql(DATABASE, "ALTER DATABASE " + DATABASE + " RESET synchronous_commit");
    }

    private static PostgresServer postgres() {
        if (postgres == null) {
            throw new IllegalStateException("PostgreSQL was not started");
        }
        return postgres;
    }
}
