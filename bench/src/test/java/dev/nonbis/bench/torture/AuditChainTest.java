package dev.nonbis.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.bench.torture.Violation.Rule;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

final class AuditChainTest {

    private final AuditChain chain = new AuditChain("acme");
    private String lastHash = "0".repeat(64);

    @Test
    void events_that_link_verify() {
        assertThat(chain.follow(event(1))).isEmpty();
        assertThat(chain.follow(event(2))).isEmpty();
        assertThat(chain.seq()).isEqualTo(2);
        assertThat(chain.hash()).isEqualTo(lastHash);
    }

    @Test
    void a_changed_member_is_found() {
        assertThat(chain.follow(event(1).put("actor", "mallory")))
                .hasValueSatisfying(v -> assertThat(v.rule()).isEqualTo(Rule.AUDIT_CHAIN_VERIFIES));
    }

    @Test
    void a_missing_event_is_found() {
        chain.follow(event(1));
        event(2);

        assertThat(chain.follow(event(3))).isPresent();
    }

    @Test
    void an_event_that_replaced_another_is_found_by_the_next_link() {
        var first = event(1);
        chain.follow(first);
        lastHash = "f".repeat(64);

        assertThat(chain.follow(event(2))).isPresent();
    }

    @Test
    void changed_data_is_found_and_redacted_data_is_not() {
        var changed = event(1);
        changed.putObject("data").put("n", 2);
        assertThat(new AuditChain("acme").follow(changed)).isPresent();

        lastHash = "0".repeat(64);
        var redacted = event(1);
        redacted.putNull("data");
        assertThat(new AuditChain("acme").follow(redacted)).isEmpty();
    }

    @Test
    void the_hash_is_that_of_the_canonical_form() {
        var event = (ObjectNode) JsonMapper.shared().readTree("""
                {"seq":1,"id":"evt_1","ts":"2026-01-01T00:00:00.000000Z","type":"job.submitted","actor":"alice","subject":"job_1",\
                "data_hash":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",\
                "prev_hash":"0000000000000000000000000000000000000000000000000000000000000000","data":{}}""");
        // Computed with another program from the sorted members without white space.
        event.put("hash", "ce37a9b5622ffafe623a3177bdcd3a865dcc13cce637aa2ca35e600abf429387");

        assertThat(chain.follow(event)).isEmpty();
    }

    private ObjectNode event(int seq) {
        var data = JsonMapper.shared().createObjectNode().put("n", 1);
        var event = JsonMapper.shared().createObjectNode();
        event.put("seq", seq).put("id", "evt_" + seq).put("ts", "2026-01-01T00:00:00.000000Z");
        event.put("type", "job.submitted").put("actor", "alice").put("subject", "job_" + seq);
        event.put("data_hash", CanonicalForm.sha256(data)).put("prev_hash", lastHash);
        lastHash = CanonicalForm.sha256(event);
        event.put("hash", lastHash);
        event.set("data", data);
        return event;
    }
}
