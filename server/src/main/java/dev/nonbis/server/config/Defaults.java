package dev.nonbis.server.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The values that hold when nothing is written. */
final class Defaults {

    static final Config CONFIG = new Config(
            new Config.Http(
                    "127.0.0.1",
                    7420,
                    Optional.empty(),
                    List.of(),
                    new Config.HttpLimits(
                            4096,
                            256,
                            16 << 10,
                            1 << 20,
                            16 << 10,
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(60),
                            Duration.ofSeconds(10))),
            new Config.Management("127.0.0.1", 2112),
            new StoreUrl.Sqlite(Path.of("nonbis-data", "nonbis.db")),
            new BusUrl.Embedded(),
            new Config.Auth(List.of(), Optional.empty()),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            new Config.Idempotency(
                    new Config.Retention(
                            Optional.of(Duration.ofDays(90)), Optional.empty(), Optional.of(Duration.ofHours(24))),
                    Set.of("payments")),
            new Config.Approvals(Duration.ofDays(7), false),
            new Config.Webhooks(false),
            new Config.Observation(
                    Optional.empty(), new Config.Logs(Config.Logs.Format.TEXT, Config.Logs.Requests.FAILED)),
            Map.of(),
            Config.Durability.STRICT);

    private Defaults() {}
}
