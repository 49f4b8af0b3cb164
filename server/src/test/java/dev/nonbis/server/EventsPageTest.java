package dev.nonbis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.audit.EventTypes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class EventsPageTest {

    private static final Pattern ENUM = Pattern.compile("(?m)^ +enum:\\n((?: +- [a-z_]+\\.[a-z_]+\\n)+)");

    @Test
    void the_page_has_one_row_for_every_type_of_event_and_no_other() {
        assertThat(ReferencePage.named("events.md").rowsThatStartWith("").stream()
                        .filter(code -> code.contains(".")))
                .containsExactlyElementsOf(EventTypes.ALL);
    }

    @Test
    void the_description_of_the_api_offers_webhooks_the_same_types() throws Exception {
        var description = Files.readString(Path.of("src/main/resources/openapi/webhooks.yaml"));
        var found = ENUM.matcher(description);

        assertThat(found.find()).isTrue();
        assertThat(found.group(1).strip().split("\\s*\\n\\s*"))
                .extracting(line -> line.replace("- ", ""))
                .containsExactlyElementsOf(EventTypes.ALL);
    }
}
