package dev.nonbis.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditHead;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditCodecTest {

    private static final Instant AT = Instant.parse("2026-03-01T12:00:00.123456Z");

    private static AuditEvent event(String text, AuditHead head, Optional<String> hash) {
        var data = JsonObject.builder().put("text", text).build();
        return AuditEvent.after(head, "evt_1", new AuditEvent.Draft(AT, "t", text, text, hash, hash, data));
    }

    @Test
    void an_event_comes_back_as_it_was_whatever_its_texts_say() {
        for (String text : List.of(
                "alice",
                "",
                ",\"seq\":7",
                "\\\",\"seq\":7,\"ts\":\"2020-01-01T00:00:00.000000Z\"",
                "\\",
                "x,",
                "{\n}",
                "\u00e9\ud83d\ude00",
                "\"")) {
            for (long before : List.of(0L, 9L, 123_456_789_012L)) {
                for (var hash : List.of(Optional.<String>empty(), Optional.of("a".repeat(64)))) {
                    var event = event(text, new AuditHead(before, "0".repeat(64), AT), hash);

                    var page = new AuditPage(List.of(event, event.redacted(), event));

                    assertThat(AuditCodec.decode(AuditCodec.encode(page)))
                            .usingRecursiveComparison()
                            .isEqualTo(page);
                }
            }
        }
    }

    @Test
    void a_redacted_event_comes_back_without_its_data() {
        var event = event("alice", AuditHead.NONE, Optional.empty()).redacted();

        var page = AuditCodec.decode(AuditCodec.encode(new AuditPage(List.of(event))));

        assertThat(page.events()).singleElement().matches(AuditEvent::isRedacted);
    }
}
