package dev.nonbis.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What {@code deploy/} ships can be read, and the configurations in it are accepted. */
final class DeployedConfigTest {

    private static final Path DEPLOY = Path.of("..", "deploy");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compose/compose.yaml",
                "compose/nonbis.yaml",
                "helm/nonbis/Chart.yaml",
                "helm/nonbis/values.yaml"
            })
    void every_file_is_yaml(String file) throws IOException {
        assertThat(yaml(DEPLOY.resolve(file))).isInstanceOf(Map.class);
    }

    @Test
    void the_configuration_beside_the_compose_file_is_accepted() throws IOException {
        assertThat(loaded(Files.readString(DEPLOY.resolve("compose/nonbis.yaml")))
                        .store())
                .isInstanceOf(StoreUrl.Postgres.class);
    }

    @Test
    void the_configuration_in_the_chart_is_accepted() throws IOException {
        var values = (Map<?, ?>) yaml(DEPLOY.resolve("helm/nonbis/values.yaml"));

        assertThat(loaded(String.valueOf(values.get("config"))).store()).isInstanceOf(StoreUrl.Postgres.class);
    }

    @Test
    void every_server_of_the_compose_file_is_behind_the_balancer() throws IOException {
        var compose = (Map<?, ?>) yaml(DEPLOY.resolve("compose/compose.yaml"));
        var services = (Map<?, ?>) Objects.requireNonNull(compose.get("services"));
        var balancer = Files.readString(DEPLOY.resolve("compose/nginx.conf"));

        assertThat(services.keySet()).hasSizeGreaterThan(2);
        for (var service : services.keySet()) {
            if (String.valueOf(service).startsWith("server-")) {
                assertThat(balancer).contains("server " + service + ":7420");
            }
        }
    }

    // The secret's place is one of the container's; here it is the test's.
    private Config loaded(String text) throws IOException {
        var url = Files.writeString(directory.resolve("store-url"), "postgres://nonbis:p%40ss@db:5432/nonbis\n");
        var file = Files.writeString(
                directory.resolve("nonbis.yaml"), text.replaceAll("file:[^\"]*store-url", "file:" + url));
        var result = ConfigLoader.load(Optional.of(file), Map.of());
        assertThat(result).isInstanceOf(ConfigResult.Accepted.class);
        return ((ConfigResult.Accepted) result).config();
    }

    private static Object yaml(Path file) throws IOException {
        var settings = LoadSettings.builder().build();
        return new Load(settings).loadFromString(Files.readString(file));
    }
}
