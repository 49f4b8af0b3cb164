package dev.nonbis.server.config;

import java.nio.file.Path;
import java.util.Map;

/** Which store holds the plane's state. */
public sealed interface StoreUrl {

    /** One file on a local disk, in this process. */
    record Sqlite(Path file) implements StoreUrl {}

    /**
     * A PostgreSQL database, which other servers may use too.
     *
     * @param hosts one or more {@code host:port}, with commas between them
     * @param options settings of the connection, such as {@code sslmode}
     */
    record Postgres(String hosts, String database, String user, String password, Map<String, String> options)
            implements StoreUrl {

        public Postgres {
            options = Map.copyOf(options);
        }

        /** Without the password. */
        @Override
        public String toString() {
            return "postgres://" + user + "@" + hosts + "/" + database;
        }
    }

    /**
     * A Redis server, which other servers may use too.
     *
     * @param user empty for the default user
     * @param password empty for none
     * @param rootCert the file with the certificates to trust, empty for those that the JVM trusts
     */
    record Redis(String host, int port, int database, String user, String password, boolean tls, String rootCert)
            implements StoreUrl {

        /** Without the password. */
        @Override
        public String toString() {
            return (tls ? "rediss://" : "redis://") + host + ":" + port + "/" + database;
        }
    }
}
