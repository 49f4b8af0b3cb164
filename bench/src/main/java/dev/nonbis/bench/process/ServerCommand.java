package dev.nonbis.bench.process;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How the server is started: which jar, with which flags of the virtual machine and which environment besides our own. */
public record ServerCommand(Path jar, List<String> jvmFlags, Map<String, String> environment) {

    /** The flags that the launcher gives the server. */
    public static final List<String> LAUNCHER_FLAGS = List.of(
            "-Xmx208m",
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private static final String JAR = "server/target/nonbis-server-0.1.0-all.jar";

    /** The server's jar in the source tree that this class was built in. */
    public static ServerCommand ofThisTree() {
        return new ServerCommand(root().resolve(JAR), LAUNCHER_FLAGS, Map.of());
    }

    /** The same, with the path that does nothing, to which a bench compares. */
    public ServerCommand offeringNoop() {
        return new ServerCommand(jar, jvmFlags, Map.of("NONBIS_BENCH", "1"));
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

    public boolean available() {
        return Files.isRegularFile(jar);
    }

    List<String> line(Path config) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(jvmFlags);
        line.addAll(List.of("-jar", jar.toString(), "serve", "--config", config.toString()));
        return line;
    }
}
