package dev.nonbis.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.server.ReferencePage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ConfigurationPageTest {

    private final ReferencePage page = ReferencePage.named("configuration.md");

    @Test
    void the_page_has_one_row_for_every_entry_and_no_other() {
        assertThat(page.rowsThatStartWith(""))
                .containsExactlyInAnyOrderElementsOf(
                        Entries.ALL.stream().<String>map(Entry::path).toList());
    }

    @Test
    void the_page_names_every_variable_that_is_not_mechanical() {
        assertThat(Stream.concat(Environment.ALIASES.keySet().stream(), Environment.NOT_OURS.stream()))
                .allMatch(page.text()::contains);
    }
}
