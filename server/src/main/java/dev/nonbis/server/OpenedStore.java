package dev.nonbis.server;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.CommitListener;
import dev.nonbis.core.store.GroupCommit;
import dev.nonbis.core.store.SharedStore;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.WatchedStore;
import dev.nonbis.server.cli.StartRefused;
import dev.nonbis.server.config.Config;
import dev.nonbis.server.config.StoreUrl;
import dev.nonbis.server.store.postgres.PostgresAddress;
import dev.nonbis.server.store.postgres.PostgresStore;
import dev.nonbis.server.store.redis.RedisAddress;
import dev.nonbis.server.store.redis.RedisStore;
import dev.nonbis.server.store.sql.SqliteStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The store that the configuration names.
 *
 * @param isShared whether other servers may use it too
 * @param weaknesses by what it may lose what it has acknowledged, in a sentence each
 */
record OpenedStore(WatchedStore store, boolean isShared, List<String> weaknesses) {

    private static final int MAX_BATCH = 256;
    private static final int MAX_WAITING = 4096;
    private static final int LANES = 2;
    private static final int PATIENT_LANES = 4;
    private static final int READERS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /**
     * Opens it.
     *
     * @param onFatal hears of a failure after which only a restart can tell what is on the disk
     */
    static OpenedStore open(Config config, CommitListener commits, Consumer<Throwable> onFatal) {
        try {
            return switch (config.store()) {
                case StoreUrl.Sqlite(var file) -> {
                    var settings = new GroupCommit.Settings(
                            MAX_BATCH, MAX_WAITING, Set.of(Tables.KEYS), commits, System::nanoTime);
                    yield new OpenedStore(new GroupCommit(SqliteStore.open(file, onFatal), settings), false, List.of());
                }
                case StoreUrl.Postgres url -> postgres(config, url, commits);
                case StoreUrl.Redis url -> redis(config, url, commits);
            };
        } catch (StoreUnavailable e) {
            throw new StartRefused(String.valueOf(e.getMessage()), "see store.url in the configuration");
        }
    }

    private static OpenedStore postgres(Config config, StoreUrl.Postgres url, CommitListener commits) {
        var address = new PostgresAddress(url.hosts(), url.database(), url.user(), url.password(), url.options());
        boolean strict = config.durability() == Config.Durability.STRICT;
        var opened = PostgresStore.open(
                address, new PostgresStore.Settings(LANES + PATIENT_LANES, READERS, PATIENCE, strict));
        return shared(opened.backend(), opened.weaknesses(), commits);
    }

    private static OpenedStore redis(Config config, StoreUrl.Redis url, CommitListener commits) {
        var address = new RedisAddress(
                url.host(), url.port(), url.database(), url.user(), url.password(), url.tls(), url.rootCert());
        boolean strict = config.durability() == Config.Durability.STRICT;
        var opened = RedisStore.open(address, new RedisStore.Settings(LANES + PATIENT_LANES + READERS, strict));
        return shared(opened.backend(), opened.weaknesses(), commits);
    }

    private static OpenedStore shared(Backend backend, List<String> weaknesses, CommitListener commits) {
        var settings = new SharedStore.Settings(
                LANES, PATIENT_LANES, MAX_BATCH, MAX_WAITING, PATIENCE, commits, System::nanoTime);
        return new OpenedStore(new SharedStore(backend, settings), true, weaknesses);
    }
}
