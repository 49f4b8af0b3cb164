package dev.nonbis.bench.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How the server is started: which jar, with which flags of the virtual machine and which environment besides our own.
 *
 * @param prefix the command that runs it, such as {@code prlimit}; empty for none
 */
public record ServerCommand(Path jar, List<String> jvmFlags, Map<String, String> environment, List<String> prefix) {

    /** The flags that the launcher gives the server. */
    public static final List<String> LAUNCHER_FLAGS = List.of(
            "-Xmx208m",
            "-XX:+UseParallelGC",
            "-XX:-UseAdaptiveSizePolicy",
            "-Xmn104m",
            "-XX:SurvivorRatio=3",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    public ServerCommand(Path jar, List<String> jvmFlags, Map<String, String> environment) {
        this(jar, jvmFlags, environment, List.of());
    }

    private static final String JAR = "server/target/nonbis-server-0.1.0-all.jar";

    /** The server's jar in the source tree that this class was built in. */
    public static ServerCommand ofThisTree() {
        return new ServerCommand(root().resolve(JAR), LAUNCHER_FLAGS, Map.of());
    }

    /** The same, with the path that does nothing, to which a bench compares. */
    public ServerCommand offeringNoop() {
        return new ServerCommand(jar, jvmFlags, Map.of("NONBIS_BENCH", "1"));
    }

    /** The same, in an environment with these entries besides. */
    public ServerCommand with(Map<String, String> more) {
        var all = new LinkedHashMap<>(environment);
        all.putAll(more);
        return new ServerCommand(jar, jvmFlags, all, prefix);
    }

    /** The same with so many file descriptors at most, as under {@code ulimit -n}. It takes Linux. */
    public ServerCommand withDescriptors(int most) {
        return new ServerCommand(jar, jvmFlags, environment, List.of("prlimit", "--nofile=" + most + ":" + most));
    }

    /** The tree's root: this class comes from bench/target/classes or from a jar in bench/target. */
    private static Path root() {
        try {
            var code = Path.of(ServerCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            for (var at = code; at != null; at = at.getParent()) {
                if (Files.exists(at.resolve("server/pom.xml"))) {
                    return at;
                }
            }
            return Path.of("").toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of a loaded class is a valid URI", e);
        }
    }

    /** For servers that live for seconds: nothing is compiled twice, and the classes that every start loads are recorded once for all. */
    public ServerCommand forShortLives() throws IOException, InterruptedException {
        recordClasses();
        return new ServerCommand(
                jar,
                Stream.concat(jvmFlags.stream(), Stream.of("-XX:TieredStopAtLevel=1"))
                        .toList(),
                environment,
                prefix);
    }

    private void recordClasses() throws IOException, InterruptedException {
        try (var lock = FileChannel.open(
                        jar.resolveSibling("nonbis.aot.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = lock.lock()) {
            if (!held.isValid() || cacheIsFresh()) {
                return;
            }
            var draft = jar.resolveSibling("nonbis.aot.draft");
            List<String> line = new ArrayList<>(List.of(java()));
            jvmFlags.stream().filter(flag -> !flag.startsWith("-Xmx")).forEach(line::add);
            line.addAll(List.of("-Xlog:disable", "-XX:AOTCacheOutput=" + draft, "-jar", jar.toString(), "warm-up"));
            var recorded = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
            // Everything works without the cache, so that a machine that cannot make one only takes longer.
            if (recorded.waitFor() == 0 && Files.exists(draft)) {
                Files.move(draft, classCache(), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    public boolean available() {
        return Files.isRegularFile(jar);
    }

    List<String> line(Path config) {
        List<String> line = new ArrayList<>();
        line.addAll(prefix);
        line.add(java());
        line.addAll(jvmFlags);
        line.addAll(cacheFlags());
        line.addAll(List.of("-jar", jar.toString(), "serve", "--config", config.toString()));
        return line;
    }

    // What the launcher gives too: a start takes half the time, and what the virtual machine has to say about a cache
    // that does not fit is not said.
    private List<String> cacheFlags() {
        return cacheIsFresh()
                ? List.of(
                        "-XX:AOTCache=" + classCache(),
                        "-Xlog:disable",
                        "-Xlog:all=error:stderr",
                        "-Xlog:aot*=off:stderr")
                : List.of();
    }

    private Path classCache() {
        return jar.resolveSibling("nonbis.aot");
    }

    private boolean cacheIsFresh() {
        var cache = classCache().toFile();
        return cache.isFile() && cache.lastModified() > jar.toFile().lastModified();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
