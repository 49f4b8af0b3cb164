package dev.nonbis.server.bus.nats;

import dev.nonbis.server.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS from PEM files: authorities to trust in place of the system's, and a certificate of our own. */
final class PemTls {

    private PemTls() {}

    static SSLContext context(NatsSettings.Tls tls) throws IOException, GeneralSecurityException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                tls.cert().isPresent() && tls.key().isPresent()
                        ? PemFiles.keyStore(tls.cert().get(), tls.key().get())
                        : PemFiles.empty(),
                PemFiles.NO_PASSWORD);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(tls.ca().isPresent() ? trusted(tls.ca().get()) : systemTrust());
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    // What the platform takes to mean its own authorities.
    private static @Nullable KeyStore systemTrust() {
        return null;
    }

    private static KeyStore trusted(Path file) throws IOException, GeneralSecurityException {
        var store = PemFiles.empty();
        int number = 0;
        for (var certificate : PemFiles.certificates(file)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        return store;
    }
}
