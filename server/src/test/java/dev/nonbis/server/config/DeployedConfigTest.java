package dev.nonbis.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What {@code deploy/} ships can be read, and the configurations in it are accepted. */
final class DeployedConfigTest {

    private static final Path DEPLOY = Path.of("..", "deploy");

    private static final Pattern ACTION = Pattern.compile("\\{\\{-? *(.*?) *-?}}");
    private static final Pattern VALUE = Pattern.compile("\\.Values\\.([A-Za-z.]+)");
    private static final Pattern FILE = Pattern.compile("/etc/nonbis/[a-z/-]+(?:\\.json)?(?=[\"}])");

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

    @ParameterizedTest
    @ValueSource(strings = {"configmap.yaml", "deployment.yaml", "service.yaml"})
    void every_template_of_the_chart_names_values_that_are_there_and_becomes_yaml(String template) throws IOException {
        var values = yaml(DEPLOY.resolve("helm/nonbis/values.yaml"));
        var text = Files.readString(DEPLOY.resolve("helm/nonbis/templates/" + template));
        var rendered =
                ACTION.matcher(text).replaceAll(action -> Matcher.quoteReplacement(rendered(action.group(1), values)));

        for (var document : new Load(LoadSettings.builder().build()).loadAllFromString(rendered)) {
            assertThat(((Map<?, ?>) document).get("kind")).isNotNull();
            assertThat(((Map<?, ?>) document).get("apiVersion")).isNotNull();
        }
    }

    // As much of the template language as the chart uses.
    private static String rendered(String action, Object values) {
        var named = VALUE.matcher(action);
        if (!named.find()) {
            assertThat(action).isEqualTo(".Release.Name");
            return "release";
        }
        var value = values;
        for (var part : named.group(1).split("\\.", -1)) {
            value = Objects.requireNonNull(((Map<?, ?>) value).get(part), () -> action + " is not in values.yaml");
        }
        return value instanceof Map || action.contains("indent")
                ? ""
                : action.contains("sha256sum") ? "digest" : "" + value;
    }

    @Test
    void every_file_that_a_deployed_configuration_names_is_mounted() throws IOException {
        var compose = Files.readString(DEPLOY.resolve("compose/compose.yaml"));
        var chart = Files.readString(DEPLOY.resolve("helm/nonbis/templates/deployment.yaml"));
        var config = Files.readString(DEPLOY.resolve("compose/nonbis.yaml"));
        var values = Files.readString(DEPLOY.resolve("helm/nonbis/values.yaml"));

        assertThat(files(config)).hasSize(2).allMatch(file -> compose.contains(":" + file + ":ro"));
        assertThat(files(values))
                .hasSize(2)
                .allMatch(file -> chart.contains("mountPath: " + Path.of(file).getParent()));
    }

    private static List<String> files(String config) {
        return FILE.matcher(config).results().map(MatchResult::group).toList();
    }

    @Test
    void systemd_understands_every_word_of_the_unit() throws Exception {
        var program = Path.of("/usr/bin/systemd-analyze");
        assumeTrue(Files.isExecutable(program), "systemd is not installed");
        var unit = Files.readString(DEPLOY.resolve("systemd/nonbis.service"));
        // Whether there is a Java here is not the question.
        var copy = Files.writeString(
                directory.resolve("nonbis.service"), unit.replace("ExecStart=/usr/bin/java", "ExecStart=/bin/true"));
        var process = new ProcessBuilder(program.toString(), "verify", copy.toString())
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines().filter(line -> line.contains("nonbis.service"))).isEmpty();
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
