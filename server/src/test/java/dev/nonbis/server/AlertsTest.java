package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alert rules and the board that ship with the server, against Prometheus's own tool and against a real server's metrics. */
class AlertsTest {

    private static final Path PROMETHEUS = Markdown.PROJECT.resolve("deploy/prometheus");
    private static final Path RULES = PROMETHEUS.resolve("nonbis.rules.yaml");
    private static final Path BOARD = Markdown.PROJECT.resolve("deploy/grafana/nonbis.json");

    private static final Pattern SELECTOR = Pattern.compile("nonbis_[a-z_]+(?:\\{[^}]*})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*=\\s*\"([^\"]*)\"");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^nonbis_[a-z_]+(\\{[^}]*})?");

    @TempDir
    Path directory;

    @Test
    void the_rules_are_rules_and_their_own_tests_pass() throws Exception {
        promtool("check", "rules", RULES.toString());
        promtool("test", "rules", PROMETHEUS.resolve("nonbis.rules.test.yaml").toString());
    }

    @Test
    void every_alert_is_tested_and_leads_to_a_runbook() throws IOException {
        var tests = Files.readString(PROMETHEUS.resolve("nonbis.rules.test.yaml"));
        var index = Markdown.of(Markdown.PROJECT.resolve("docs/runbooks/README.md"));
        var alerts = rules().stream().filter(rule -> rule.has("alert")).toList();

        assertThat(alerts).hasSizeGreaterThan(6);
        for (var alert : alerts) {
            String name = alert.path("alert").asString();
            String runbook = alert.path("annotations").path("runbook").asString("none");
            String severity = alert.path("labels").path("severity").asString("none");
            assertThat(Markdown.PROJECT.resolve(runbook)).as(name).isRegularFile();
            assertThat(index.text())
                    .contains("| `" + name + "` | " + severity + " | [")
                    .contains("](" + runbook.replace("docs/runbooks/", "") + ")");
            assertThat(tests).contains("alertname: " + name + "\n").contains("alertname: " + name + ", exp_alerts: []");
        }
    }

    @Test
    void rules_and_board_ask_only_for_what_a_server_measures() throws IOException {
        Set<String> series;
        try (var server = new RealServer(directory)) {
            // Some metrics appear with the first answer.
            server.get("/api/v1/jobs", RealServer.ACME);
            series = SAMPLE.matcher(server.metrics())
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        var missing = new ArrayList<String>();
        for (var expression : everyExpression()) {
            SELECTOR.matcher(expression)
                    .results()
                    .filter(selector -> series.stream().noneMatch(one -> matches(one, selector.group())))
                    .forEach(selector -> missing.add(selector.group() + " in " + expression));
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void every_expression_of_the_board_is_one_for_prometheus() throws Exception {
        var file = new StringBuilder("groups:\n  - name: board\n    rules:\n");
        int number = 0;
        for (var expression : boardExpressions()) {
            file.append("      - record: board:expression:").append(number++).append('\n');
            file.append("        expr: ")
                    .append(JsonMapper.shared().writeValueAsString(expression))
                    .append('\n');
        }
        var rules = Files.writeString(directory.resolve("board.yaml"), file);

        assertThat(number).isGreaterThan(20);
        promtool("check", "rules", rules.toString());
    }

    private static boolean matches(String series, String selector) {
        String metric = selector.replaceFirst("\\{.*", "");
        return (series.equals(metric) || series.startsWith(metric + "{"))
                && MATCHER.matcher(selector)
                        .results()
                        .allMatch(matcher -> series.contains(matcher.group(1) + "=\"" + matcher.group(2) + "\""));
    }

    private static List<String> everyExpression() throws IOException {
        var all = new ArrayList<>(boardExpressions());
        rules().forEach(rule -> all.add(rule.path("expr").asString()));
        return all;
    }

    private static List<String> boardExpressions() throws IOException {
        var board = JsonMapper.shared().readTree(Files.readString(BOARD));
        var expressions = new ArrayList<String>();
        for (var panel : board.path("panels")) {
            panel.path("targets")
                    .forEach(target -> expressions.add(target.path("expr").asString()));
        }
        return expressions;
    }

    private static List<JsonNode> rules() throws IOException {
        var rules = new ArrayList<JsonNode>();
        var file = JsonMapper.shared()
                .<JsonNode>valueToTree(
                        new Load(LoadSettings.builder().build()).loadFromString(Files.readString(RULES)));
        for (var group : file.path("groups")) {
            group.path("rules").forEach(rules::add);
        }
        return rules;
    }

    /** Skips the test where the tool is missing, visibly; in CI that is a failure. */
    private void promtool(String... arguments) throws IOException, InterruptedException {
        boolean installed = Files.isExecutable(Path.of("/usr/bin/promtool"));
        if (!installed && "true".equals(System.getenv("CI"))) {
            throw new AssertionError("CI needs promtool");
        }
        assumeTrue(installed, "promtool is not installed, so no rule was checked");
        var line = new ArrayList<>(List.of("/usr/bin/promtool"));
        line.addAll(List.of(arguments));
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
