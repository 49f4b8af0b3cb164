package dev.nonbis.server.store.redis;

/**
 * Where a database is and who calls.
 *
 * @param user empty for the default user
 * @param password empty for none
 * @param rootCert the file with the certificates to trust, empty for those that the JVM trusts
 */
public record RedisAddress(
        String host, int port, int database, String user, String password, boolean tls, String rootCert) {

    /** Without the password. */
    @Override
    public String toString() {
        return (tls ? "rediss://" : "redis://") + host + ":" + port + "/" + database;
    }
}
