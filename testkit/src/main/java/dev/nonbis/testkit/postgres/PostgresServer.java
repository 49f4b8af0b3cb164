package dev.nonbis.testkit.postgres;

import dev.nonbis.testkit.service.Services;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL of its own: one cluster in a temporary directory, on a free port of the loopback. It does not run as root, so root starts it as another user. */
public final class PostgresServer implements AutoCloseable {

    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";
    private static final int START_TRIES = 100;
    private static final long START_PAUSE_NANOS = 100_000_000;

    private final Path binaries;
    private final Path clients;
    private final Path directory;
    private final int port;

    private PostgresServer(Path binaries, Path clients, Path directory, int port) {
        this.binaries = binaries;
        this.clients = clients;
        this.directory = directory;
        this.port = port;
    }

    /** Where the programs of the server are; empty when PostgreSQL is not installed. */
    public static Optional<Path> binaries() {
        return packaged().flatMap(ofSystem -> Services.NEWEST ? Services.postgres() : Optional.of(ofSystem));
    }

    // Here are also psql, createdb and pgbench, which no newer server needs in its own release.
    private static Optional<Path> packaged() {
        if (!Files.isDirectory(PACKAGES)) {
            return Optional.empty();
        }
        try (var versions = Files.list(PACKAGES)) {
            return versions.filter(version -> Files.isExecutable(version.resolve("bin/postgres")))
                    .max(Comparator.comparingInt(PostgresServer::majorVersion))
                    .map(version -> version.resolve("bin"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int majorVersion(Path version) {
        return Integer.parseInt(PACKAGES.relativize(version).toString());
    }

    /**
     * Makes a cluster and starts it.
     *
     * @param settings lines of {@code postgresql.conf}
     */
    public static PostgresServer start(String... settings) throws IOException {
        return startFrom(binaries().orElseThrow(() -> new IOException("PostgreSQL is not installed")), settings);
    }

    /** The same with the server's programs of another release. */
    public static PostgresServer startFrom(Path binaries, String... settings) throws IOException {
        var clients = packaged().orElse(binaries);
        var directory = Files.createTempDirectory("nonbis-postgres");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        var server = new PostgresServer(binaries, clients, directory, freePort());
        try {
            server.run("initdb", "-D", server.data(), "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
            server.configure(settings);
            server.startAgain();
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    public String user() {
        return USER;
    }

    /** The address of a database as the configuration writes it. */
    public String url(String database) {
        return "postgres://" + USER + "@" + host() + ":" + port + "/" + database;
    }

    public void createDatabase(String name) throws IOException {
        run("createdb", "-h", host(), "-p", Integer.toString(port), "-U", USER, name);
    }

    /** Runs a statement as an operator would, by hand. */
    public String sql(String database, String statement) throws IOException {
        return run(
                "psql",
                "-h",
                host(),
                "-p",
                Integer.toString(port),
                "-U",
                USER,
                "-d",
                database,
                "-At",
                "-X",
                "-v",
                "ON_ERROR_STOP=1",
                "-c",
                statement);
    }

    /** Runs pgbench against a database and returns what it says. */
    public String pgbench(String database, String... arguments) throws IOException {
        var all = new ArrayList<>(List.of("-h", host(), "-p", Integer.toString(port), "-U", USER, "-n"));
        all.addAll(List.of(arguments));
        all.add(database);
        return run("pgbench", all.toArray(String[]::new));
    }

    /** Where files can be put that the cluster's user reads. */
    public Path directory() {
        return directory;
    }

    /** Starts the cluster that was stopped or killed, and returns once it takes connections. */
    public void startAgain() throws IOException {
        // After a kill, the children of the killed process may still be on their way out.
        for (int i = 1; ; i++) {
            try {
                run("pg_ctl", "-D", data(), "-l", directory.resolve("log").toString(), "-s", "-w", "-t", "30", "start");
                return;
            } catch (IOException e) {
                if (i == START_TRIES) {
                    throw e;
                }
                LockSupport.parkNanos(START_PAUSE_NANOS);
            }
        }
    }

    /** Ends every session at once and leaves the data sound, as a careful operator in a hurry does. */
    public void stop() throws IOException {
        run("pg_ctl", "-D", data(), "-s", "-w", "-m", "fast", "stop");
    }

    /** Kills the first process without warning; its children notice and end too. */
    public void kill() throws IOException {
        var pid = Files.readAllLines(Path.of(data(), "postmaster.pid")).getFirst();
        var killed = new ProcessBuilder("kill", "-9", pid).start();
        await(killed);
    }

    /** Adds lines to the configuration; they count from the next start. */
    public void configure(String... settings) throws IOException {
        var file = Path.of(data(), "postgresql.conf");
        var lines = new ArrayList<>(List.of(
                "port = " + port,
                "listen_addresses = '127.0.0.1'",
                "unix_socket_directories = '" + directory + "'",
                "max_connections = 100",
                "shared_buffers = 64MB"));
        lines.addAll(List.of(settings));
        Files.writeString(file, Files.readString(file) + String.join("\n", lines) + "\n");
    }

    @Override
    public void close() {
        try {
            if (Files.exists(Path.of(data(), "postmaster.pid"))) {
                run("pg_ctl", "-D", data(), "-s", "-w", "-m", "immediate", "stop");
            }
        } catch (IOException e) {
            // It was killed by the test.
        }
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(PostgresServer::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    private String run(String program, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("runuser", "-u", USER, "--"));
        }
        var ofServer = binaries.resolve(program);
        command.add((Files.exists(ofServer) ? ofServer : clients.resolve(program)).toString());
        command.addAll(List.of(arguments));
        var output = Files.createTempFile("nonbis-postgres", ".out");
        try {
            var process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            int code = await(process);
            var said = Files.readString(output).strip();
            if (code != 0) {
                throw new IOException(program + " ended with " + code + ": " + said);
            }
            return said;
        } finally {
            Files.delete(output);
        }
    }

    private static int await(Process process) throws IOException {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("no end in 60 s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
