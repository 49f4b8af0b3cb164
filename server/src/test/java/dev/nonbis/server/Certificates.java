package dev.nonbis.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Certificates made by openssl for a test.
 *
 * @param ca signed {@code certificate}
 * @param certificate for 127.0.0.1
 * @param key of the certificate
 * @param stranger another authority, which has signed nothing
 */
record Certificates(Path ca, Path certificate, Path key, Path stranger) {

    static boolean canBeMade() {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .anyMatch(part -> Files.isExecutable(Path.of(part, "openssl")));
    }

    static Certificates in(Path directory) throws IOException, InterruptedException {
        authority(directory, "ca");
        authority(directory, "stranger");
        openssl(
                directory,
                "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.csr"
                        + " -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1");
        openssl(
                directory,
                "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
                        + " -copy_extensions copy -out server.pem");
        return new Certificates(
                directory.resolve("ca.pem"),
                directory.resolve("server.pem"),
                directory.resolve("server.key"),
                directory.resolve("stranger.pem"));
    }

    /** Gives the key to the user that a server runs as, if we may. */
    void giveKeyTo(String user) throws IOException {
        if (Optional.of("root").equals(Optional.ofNullable(System.getProperty("user.name")))) {
            Files.setOwner(
                    key, key.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
        }
    }

    private static void authority(Path directory, String name) throws IOException, InterruptedException {
        openssl(
                directory,
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout " + name + ".key -out "
                        + name + ".pem -subj /CN=" + name);
    }

    private static void openssl(Path directory, String words) throws IOException, InterruptedException {
        var process = new ProcessBuilder(Stream.concat(Stream.of("openssl"), Stream.of(words.split(" ", -1)))
                        .toList())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("openssl " + words + ": " + said);
        }
    }
}
