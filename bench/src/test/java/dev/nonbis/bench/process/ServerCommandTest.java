package dev.nonbis.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerCommandTest {

    /** What is measured and killed is what users start. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonbis",
                "deploy/systemd/nonbis.service",
                "deploy/Dockerfile",
                "docs/how-to/run-in-production.md"
            })
    void the_server_has_the_same_flags_wherever_it_is_started(String file) throws IOException {
        var words = List.of(Files.readString(Path.of("..", file)).split("[\\s()\",]+"));

        assertThat(words).containsAll(ServerCommand.LAUNCHER_FLAGS);
    }
}
