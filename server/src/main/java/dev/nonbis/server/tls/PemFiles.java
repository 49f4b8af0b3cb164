package dev.nonbis.server.tls;

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

/** Reads certificates and private keys (PKCS #8) into key stores without a password. */
public final class PemFiles {

    public static final char[] NO_PASSWORD = {};

    private static final List<String> KINDS_OF_KEYS = List.of("EC", "RSA", "Ed25519");

    private PemFiles() {}

    /** A certificate chain and its key. */
    public static KeyStore keyStore(Path cert, Path key) throws IOException, GeneralSecurityException {
        var store = empty();
        store.setKeyEntry(
                "own", privateKey(key), NO_PASSWORD, certificates(cert).toArray(Certificate[]::new));
        return store;
    }

    public static List<? extends Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
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

    public static KeyStore empty() throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
