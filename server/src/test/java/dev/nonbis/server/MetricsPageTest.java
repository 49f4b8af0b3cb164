package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsPageTest {

    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) ");

    @TempDir
    Path directory;

    @Test
    void the_page_has_one_row_for_every_metric_of_a_scrape_and_no_other() {
        try (var server = new RealServer(directory)) {
            // Some metrics appear with the first answer.
            server.get("/api/v1/jobs", RealServer.ACME);

            assertThat(ReferencePage.named("metrics.md").rowsThatStartWith("nonbis_"))
                    .containsExactlyInAnyOrderElementsOf(names(server.metrics()));
        }
    }

    private static List<String> names(String scrape) {
        return TYPE.matcher(scrape).results().map(line -> line.group(1)).toList();
    }
}
