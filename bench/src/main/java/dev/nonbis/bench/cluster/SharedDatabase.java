package dev.nonbis.bench.cluster;

import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;

/** A database that servers share, and that can be killed and started again on what it has kept. */
public interface SharedDatabase extends AutoCloseable {

    String url();

    /** Without warning. */
    void kill() throws IOException;

    void startAgain() throws IOException;

    @Override
    void close();

    static SharedDatabase postgres() throws IOException {
        var postgres = PostgresServer.start();
        postgres.createDatabase("nonbis");
        return new SharedDatabase() {
            @Override
            public String url() {
                return postgres.url("nonbis");
            }

            @Override
            public void kill() throws IOException {
                postgres.kill();
            }

            @Override
            public void startAgain() throws IOException {
                postgres.startAgain();
            }

            @Override
            public void close() {
                postgres.close();
            }
        };
    }

    /** One that flushes before it answers. */
    static SharedDatabase redis() throws IOException {
        var redis = RedisServer.start();
        return new SharedDatabase() {
            @Override
            public String url() {
                return redis.url();
            }

            @Override
            public void kill() throws IOException {
                redis.kill();
            }

            @Override
            public void startAgain() throws IOException {
                redis.startAgain();
            }

            @Override
            public void close() {
                redis.close();
            }
        };
    }
}
