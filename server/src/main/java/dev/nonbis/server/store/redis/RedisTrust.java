package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** Trusts the certificates of one file and nothing else, and only a server that is who it was called by. */
final class RedisTrust {

    private static final String KIND = "PKCS12";
    // It never leaves the process, but a store has to have one.
    private static final char[] PASSWORD = {'n', 'o', 'n', 'e'};

    private RedisTrust() {}

    /**
     * Reads certificates in PEM.
     *
     * @throws StoreUnavailable when the file holds none
     */
    static SslOptions in(Path file) {
        var store = store(file);
        return SslOptions.builder()
                .trustStoreType(KIND)
                .truststore(() -> new ByteArrayInputStream(store), PASSWORD)
                .sslVerifyMode(SslVerifyMode.FULL)
                .build();
    }

    private static byte[] store(Path file) {
        try (var in = Files.newInputStream(file)) {
            var trusted = KeyStore.getInstance(KIND);
            trusted.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
            }
            if (trusted.size() == 0) {
                throw refused(file, "it holds no certificate");
            }
            var bytes = new ByteArrayOutputStream();
            trusted.store(bytes, PASSWORD);
            return bytes.toByteArray();
        } catch (IOException | GeneralSecurityException e) {
            throw refused(file, String.valueOf(e.getMessage()));
        }
    }

    private static StoreUnavailable refused(Path file, String why) {
        return new StoreUnavailable(
                Fate.DID_NOT_HAPPEN, Cause.FAILED, "cannot use the certificates of sslrootcert " + file + ": " + why);
    }
}
