package dev.nonbis.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A fresh directory with the server's configuration, data and log. */
public final class ServerDirectory implements AutoCloseable {

    // A level and a logger, then what failed, then fields.
    private static final Predicate<String> MISTAKE = Pattern.compile(
                    "^\\S+ SEVERE \\S+: .* (failed|set aside)( \\S+=\\S+)*$")
            .asPredicate();
    // With what was thrown and where.
    private static final int LINES_OF_A_MISTAKE = 8;

    private final Path root;
    private final Ports ports;

    private ServerDirectory(Path root, Ports ports) {
        this.root = root;
        this.ports = ports;
    }

    public static ServerDirectory create(List<Credential> credentials) throws IOException {
        return create(credentials, "");
    }

    /** A directory whose configuration ends with more entries. */
    public static ServerDirectory create(List<Credential> credentials, String moreConfig) throws IOException {
        return create(credentials, Optional.empty(), moreConfig);
    }

    /** A directory for a server on a store elsewhere, if one is given. */
    public static ServerDirectory create(List<Credential> credentials, Optional<String> store, String moreConfig)
            throws IOException {
        var root = Files.createTempDirectory("nonbis-bench-");
        var ports = Ports.free();
        var directory = new ServerDirectory(root, ports);
        Files.writeString(directory.config(), """
                http: {host: 127.0.0.1, port: %d}
                management: {port: %d}
                store: {url: "%s"}
                auth:
                  keys:
                %s%s""".formatted(
                        ports.api(),
                        ports.management(),
                        store.orElse("sqlite:" + root.resolve("nonbis.db")),
                        credentials.stream().map(Credential::configEntry).collect(Collectors.joining()),
                        moreConfig));
        return directory;
    }

    Path config() {
        return root.resolve("nonbis.yaml");
    }

    Path log() {
        return root.resolve("server.log");
    }

    public Path root() {
        return root;
    }

    public Ports ports() {
        return ports;
    }

    public long storedBytes() throws IOException {
        try (var files = Files.list(root)) {
            return files.filter(f -> f.getFileName().toString().startsWith("nonbis.db"))
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }

    /** What the server wrote down as a mistake of its own, over all its lives: a failed request or a failed piece of background work. */
    public List<String> mistakes() throws IOException {
        if (!Files.exists(log())) {
            return List.of();
        }
        var lines = Files.readAllLines(log());
        var mistakes = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            if (MISTAKE.test(lines.get(i))) {
                mistakes.add(String.join("\n", lines.subList(i, Math.min(lines.size(), i + LINES_OF_A_MISTAKE))));
            }
        }
        return mistakes;
    }

    /** The last lines that the server said, for whoever has to explain its death. */
    String lastWords() {
        try {
            var lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    /** Deletes everything. */
    @Override
    public void close() throws IOException {
        try (var files = Files.walk(root)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
