package dev.nonbis.bench.torture;

import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** A database process of its own, which is killed and comes back on its data. */
public interface Database extends AutoCloseable {

    int port();

    /** Its address as the configuration writes it, for whoever goes through this port. */
    String url(int port);

    /** What stands in a commit, or in the answer to it, on the wire. */
    String markOfCommit();

    /** SIGKILL. */
    void kill() throws IOException;

    void startAgain() throws IOException;

    @Override
    void close();

    /** With a database for us in it. */
    static Database postgres() throws IOException {
        return postgres(PostgresServer.start());
    }

    /** The same, with these programs of a server if there are any. */
    static Database postgres(Optional<Path> programs) throws IOException {
        return programs.isPresent() ? postgres(PostgresServer.startFrom(programs.get())) : postgres();
    }

    private static Database postgres(PostgresServer server) throws IOException {
        server.createDatabase("nonbis");
        return new Postgres(server);
    }

    /** One that flushes every write. */
    static Database redis() throws IOException {
        return new Redis(RedisServer.start(), digestOfApply());
    }

    private static String digestOfApply() throws IOException {
        try (var script = Database.class.getResourceAsStream("/db/redis/apply.lua")) {
            if (script == null) {
                throw new IllegalStateException("the server's script is not on the class path");
            }
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(script.readAllBytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** PostgreSQL, of which the first process is killed. */
    record Postgres(PostgresServer server) implements Database {

        @Override
        public int port() {
            return server.port();
        }

        @Override
        public String url(int port) {
            return "postgres://" + server.user() + "@" + server.host() + ":" + port + "/nonbis";
        }

        @Override
        public String markOfCommit() {
            return "COMMIT";
        }

        @Override
        public void kill() throws IOException {
            server.kill();
        }

        @Override
        public void startAgain() throws IOException {
            server.startAgain();
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Redis, in which a commit is the call of one script by its digest. */
    record Redis(RedisServer server, String markOfCommit) implements Database {

        @Override
        public int port() {
            return server.port();
        }

        @Override
        public String url(int port) {
            return "redis://" + server.host() + ":" + port + "/0";
        }

        @Override
        public void kill() throws IOException {
            server.kill();
        }

        @Override
        public void startAgain() throws IOException {
            server.startAgain();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
