package dev.nonbis.server.bus.nats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS from PEM files: authorities to trust in place of the system's, and a certificate of our own. */
final class PemTls {

    private static final char[] NO_PASSWORD = {};
    private static final List<String> KINDS_OF_KEYS = List.of("EC", "RSA", "Ed25519");

    private PemTls() {}

    static SSLContext context(NatsSettings.Tls tls) throws IOException, GeneralSecurityException {
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                tls.cert().isPresent() && tls.key().isPresent()
                        ? own(tls.cert().get(), tls.key().get())
                        : empty(),
                NO_PASSWORD);
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
        var store = empty();
        int number = 0;
        for (var certificate : certificates(file)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        return store;
    }

    private static KeyStore own(Path cert, Path key) throws IOException, GeneralSecurityException {
        var store = empty();
        store.setKeyEntry(
                "own", privateKey(key), NO_PASSWORD, certificates(cert).toArray(Certificate[]::new));
        return store;
    }

    private static List<? extends Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        try (var bytes = Files.newInputStream(file)) {
            return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(bytes));
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file).replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        var encoded = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
        for (var kind : KINDS_OF_KEYS) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // A key of another kind: the next one is tried.
            }
        }
        throw new InvalidKeySpecException(file + " holds no PKCS #8 key of a known kind");
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
