package dev.nonbis.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyCommandsTest {

    private static final String POLICY = """
            jobs:
              rules:
                - {id: mail, when: 'job.topic == "job.mail"', verdict: allow}
                - {id: big, when: 'job.input.eur > 100', verdict: require_approval}
            """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @BeforeEach
    void writePolicy() throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), POLICY);
    }

    @Test
    void a_good_policy_is_summed_up_with_its_hash() {
        assertThat(run(Map.of(), "policy", "check", "policy.yaml")).isZero();
        assertThat(out())
                .containsPattern("hash  [0-9a-f]{64}\n")
                .contains("default: jobs 2 rules, else allow; payments 0 rules, else deny;");
        assertThat(run(Map.of(), "policy", "check", "policy.yaml", "--json")).isZero();
        assertThat(out()).containsPattern("\\{\"valid\":true,\"policy_hash\":\"[0-9a-f]{64}\"\\}\n");
    }

    @Test
    void a_bad_policy_is_refused_with_every_line() throws IOException {
        Files.writeString(
                directory.resolve("policy.yaml"),
                POLICY.replace("allow", "alow").replace("eur > 100", "eur >"));
        assertThat(run(Map.of(), "policy", "check", "policy.yaml")).isEqualTo(1);
        assertThat(out()).isEmpty();
        assertThat(err())
                .contains("policy.yaml:3:")
                .contains("policy.yaml:4:")
                .contains("error: the policy has 2 errors\nnext: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"((a{1,1000}){1,1000}){1,1000}", "(a", "[z-a]"})
    void a_pattern_that_cannot_be_compiled_is_refused_with_its_line_and_reason(String pattern) throws IOException {
        Files.writeString(
                directory.resolve("policy.yaml"),
                POLICY.replace("job.input.eur > 100", "job.prompt.matches(\"" + pattern + "\")"));
        assertThat(run(Map.of(), "policy", "check", "policy.yaml")).isEqualTo(1);
        assertThat(err())
                .contains("policy.yaml:4:")
                .contains("regular expression")
                .doesNotContain("null");
    }

    @Test
    void a_job_is_explained_without_a_server() {
        assertThat(run(Map.of(), explain("--input", "{\"eur\":500}"))).isZero();
        assertThat(out())
                .contains("verdict          require_approval\n")
                .contains("matched_rule_id  big\n")
                .contains("not_matched  mail: job.topic == \"job.mail\"\n")
                .contains("matched      big: job.input.eur > 100\n");
        assertThat(run(Map.of(), explain())).isZero();
        assertThat(out()).contains("deny_code        policy_error\n").contains("'eur' is not present");
    }

    @Test
    void a_server_is_asked_what_it_would_do() {
        try (var api = new ScriptedApi()) {
            api.answers("{\"verdict\":\"allow\",\"decided_by\":\"default\",\"rules\":[]}");
            var environment = Map.of("NONBIS_URL", api.url().toString(), "NONBIS_API_KEY", "token");
            var exit = run(
                    environment,
                    "policy",
                    "explain",
                    "--topic",
                    "job.x",
                    "--label",
                    "a=b",
                    "--submitted-by",
                    "bob",
                    "--workflow",
                    "w",
                    "--step",
                    "s",
                    "--json");
            assertThat(exit).isZero();
            assertThat(api.requests())
                    .singleElement()
                    .asString()
                    .startsWith("POST /api/v1/policy/explain Bearer token ")
                    .endsWith("{\"job\":{\"topic\":\"job.x\",\"labels\":{\"a\":\"b\"},\"submitted_by\":\"bob\","
                            + "\"workflow\":\"w\",\"step\":\"s\"}}");
            assertThat(out()).isEqualTo("{\"verdict\":\"allow\",\"decided_by\":\"default\",\"rules\":[]}\n");
        }
    }

    private static String[] explain(String... more) {
        var args = new String[more.length + 6];
        System.arraycopy(
                new String[] {"policy", "explain", "--file", "policy.yaml", "--topic", "job.x"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        return args;
    }

    private int run(Map<String, String> environment, String... args) {
        var streams = new Terminal.Streams(
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        var terminal = new Terminal(streams, environment, directory, wait -> {}, () -> Instant.EPOCH);
        return new NonbisCommand(terminal, config -> {
                    throw new StartRefused("no server", "none is needed here");
                })
                .run(args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
