package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nonbis.testkit.postgres.PostgresServer;
import dev.nonbis.testkit.redis.RedisServer;
import dev.nonbis.testkit.service.EveryRelease;
import dev.nonbis.testkit.service.Installed;
import dev.nonbis.testkit.service.NatsServer;
import dev.nonbis.testkit.service.Services;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page names the releases that the suites ran on. A system with others skips its part of this. */
@EveryRelease
final class VersionsTriedTest {

    private static final Markdown PAGE = Markdown.of(Markdown.PROJECT.resolve("docs/reference/versions-tried.md"));
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

    @Test
    void the_page_names_the_postgresql_that_the_suites_use() throws Exception {
        var programs = Installed.require("PostgreSQL", PostgresServer.binaries());
        names("PostgreSQL", 1, version(programs.resolve("postgres")));
    }

    @Test
    void the_page_names_the_nats_server_that_the_suites_use() throws Exception {
        names("NATS", 2, version(NatsServer.program()));
    }

    @Test
    void the_page_names_the_redis_that_the_suites_use() throws Exception {
        names("Redis", 2, version(Installed.require("Redis", RedisServer.program())));
    }

    // A system brings corrections of a release, which change nothing for us.
    private static void names(String service, int series, String version) {
        var row = PAGE.text()
                .lines()
                .filter(line -> line.startsWith("| " + service + " "))
                .findFirst()
                .orElseThrow();
        var tried = VERSION.matcher(row.substring(row.lastIndexOf('|', row.length() - 2)))
                .results()
                .map(MatchResult::group)
                .toList();
        if (Services.NEWEST && !service.equals("Redis")) {
            assertThat(tried).contains(version);
        } else {
            assumeTrue(
                    tried.stream().anyMatch(one -> first(one, series).equals(first(version, series))),
                    service + " " + version + " is installed, which the page does not name");
        }
    }

    private static List<String> first(String version, int numbers) {
        return List.of(version.split("\\.", -1)).subList(0, numbers);
    }

    private static String version(Path program) throws IOException, InterruptedException {
        var process = new ProcessBuilder(program.toString(), "--version")
                .redirectErrorStream(true)
                .start();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return VERSION.matcher(text).results().findFirst().orElseThrow().group();
    }
}
