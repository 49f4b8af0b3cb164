package dev.nonbis.server.http.jetty;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for the loopback address, made with the running JDK's keytool, and a client that trusts nothing else. */
public record SelfSigned(KeyStore keys, HttpConfig.TlsFiles files) {

    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "server";

    public static SelfSigned in(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        var store = directory.resolve("keys.p12");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        var keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        var chain = pem(
                directory.resolve("chain.pem"),
                "CERTIFICATE",
                keys.getCertificate(ALIAS).getEncoded());
        var key = pem(
                directory.resolve("key.pem"),
                "PRIVATE KEY",
                keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
        return new SelfSigned(keys, new HttpConfig.TlsFiles(chain, key));
    }

    private static Path pem(Path file, String label, byte[] der) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n");
    }

    Socket connect(int port) throws IOException, GeneralSecurityException {
        return context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    }

    /** Trusts this certificate and nothing else. */
    SSLContext context() throws IOException, GeneralSecurityException {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
