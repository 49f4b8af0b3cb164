package dev.nonbis.testkit.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which releases of PostgreSQL and NATS the tests use: those of the system, or the newest with {@code -Dnonbis.services=newest}. */
public final class Services {

    /** The newest releases that are tried: NATS as {@code ./verify} installs it, PostgreSQL from a test dependency. */
    public static final boolean NEWEST = "newest".equals(System.getProperty("nonbis.services"));

    private static final Path NATS = Path.of("target", "services", "nats", "bin", "nats-server");
    private static final String POSTGRES = "/postgres-linux-x86_64.txz";

    private Services() {}

    /** The newest NATS server, in this directory or one above it. */
    static Optional<Path> natsServer() {
        return Stream.<@Nullable Path>iterate(
                        Path.of("").toAbsolutePath(), directory -> directory != null, Path::getParent)
                .map(directory -> directory.resolve(NATS))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The programs of the newest PostgreSQL: {@code initdb}, {@code pg_ctl} and {@code postgres}. */
    public static Optional<Path> postgres() {
        return Unpacked.PROGRAMS;
    }

    /** Once in a process, where every user can read it. */
    private static final class Unpacked {

        static final Optional<Path> PROGRAMS = unpack();

        private static Optional<Path> unpack() {
            try (var archive = Services.class.getResourceAsStream(POSTGRES)) {
                if (archive == null || !runsHere()) {
                    return Optional.empty();
                }
                var directory = Files.createTempDirectory("nonbis-postgres-programs");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
                var tar = new ProcessBuilder("tar", "-xJf", "-", "-C", directory.toString())
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.INHERIT)
                        .start();
                try (var input = tar.getOutputStream()) {
                    archive.transferTo(input);
                }
                if (tar.waitFor() != 0) {
                    throw new IOException("tar ended with " + tar.exitValue());
                }
                return Optional.of(directory.resolve("bin"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        private static boolean runsHere() {
            return System.getProperty("os.name").equals("Linux")
                    && System.getProperty("os.arch").equals("amd64");
        }

        private static void delete(Path directory) {
            try (var files = Files.walk(directory)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
