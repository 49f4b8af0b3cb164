package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A bash in a directory where {@code ./nonbis} is the program under test, beside a server that was started there with
 * {@code ./nonbis dev} on free ports. The default addresses in a command stand for that server's.
 */
final class Shell implements AutoCloseable {

    private static final String END_OF_BLOCK = "=== end of block ===\n";
    private static final int LONGEST_SECONDS = 300;

    private final Path directory;
    private final Process server;
    private final JsonObject addresses;

    Shell(Path directory) throws IOException {
        this.directory = directory;
        writeLauncher();
        server = new ProcessBuilder("./nonbis", "dev", "--port", "0", "--management-port", "0", "--json")
                .directory(directory.toFile())
                .redirectError(directory.resolve("server.log").toFile())
                .start();
        var ready = server.inputReader().readLine();
        assertThat(ready).as("the first line of ./nonbis dev --json").isNotNull();
        addresses = (JsonObject) Json.parse(ready.getBytes(StandardCharsets.UTF_8));
    }

    /** What each block printed, on both channels. One that fails ends the session, and the test with it. */
    List<String> run(List<String> blocks) throws IOException, InterruptedException {
        var script = new StringBuilder("set -euo pipefail\n");
        for (var block : blocks) {
            script.append(block).append("printf '\\n%s' '").append(END_OF_BLOCK).append("'\n");
        }
        var output = directory.resolve("session.log");
        var builder = new ProcessBuilder("bash", "-c", here(script.toString()))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("NONBIS_"));
        builder.environment().put("NONBIS_URL", address("url"));
        var bash = builder.start();
        bash.getOutputStream().close();
        boolean ended = bash.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
        bash.destroyForcibly();
        var printed = Files.readString(output);
        assertThat(ended).as("ended in time:%n%s", printed).isTrue();
        assertThat(bash.exitValue()).as(printed).isZero();
        return Arrays.asList(printed.split(END_OF_BLOCK));
    }

    @Override
    public void close() {
        server.descendants().forEach(ProcessHandle::destroy);
        server.destroy();
        server.onExit().join();
    }

    private String here(String script) {
        return script.replace("http://127.0.0.1:7420", address("url"))
                .replace("http://127.0.0.1:2112", address("management_url"));
    }

    private String address(String name) {
        return addresses.string(name).orElseThrow();
    }

    private void writeLauncher() throws IOException {
        var launcher = directory.resolve("nonbis");
        var java = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.writeString(launcher, """
                #!/bin/sh
                exec '%s' -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \\
                  -cp '%s' %s "$@"
                """.formatted(java, System.getProperty("java.class.path"), Main.class.getName()));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }
}
