package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the pages that a newcomer follows by hand. */
final class ReadmeTest {

    @TempDir
    Path directory;

    private Shell shell;

    @BeforeEach
    void start() throws Exception {
        shell = new Shell(directory);
    }

    @AfterEach
    void stop() {
        shell.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/tutorial/first-job.md", "docs/tutorial/first-workflow.md"})
    void every_command_of_the_page_does_what_the_page_shows(String page) throws Exception {
        var steps = Transcript.of(Markdown.of(Markdown.PROJECT.resolve(page)));
        assertThat(steps).isNotEmpty();

        var outputs = shell.run(steps.stream().map(Transcript::commands).toList());

        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            assertThat(step.missingFrom(outputs.get(i)))
                    .as("lines that the page shows below%n%s%nand that are not in%n%s", step.commands(), outputs.get(i))
                    .isEmpty();
        }
    }
}
