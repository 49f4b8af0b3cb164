package dev.nonbis.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.audit.AuditVerifier.Broken;
import dev.nonbis.core.audit.AuditVerifier.Finding;
import dev.nonbis.core.audit.AuditVerifier.Intact;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.json.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class AuditVerifierTest {

    private static final List<JsonObject> CHAIN = chain(4);

    @Test
    void a_chain_as_it_was_written_verifies() {
        assertThat(findings(AuditVerifier.ofWholeChain(), CHAIN))
                .hasSize(4)
                .allMatch(Intact.class::isInstance)
                .last()
                .isEqualTo(new Intact(4, CHAIN.getLast().string("hash").orElseThrow(), false));
    }

    @Test
    void members_may_come_in_any_order() {
        var reversed = CHAIN.stream().map(AuditVerifierTest::reversed).toList();

        assertThat(findings(AuditVerifier.ofWholeChain(), reversed)).allMatch(Intact.class::isInstance);
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of("actor", new JsonString("mallory"), "hash is not the hash of the event"),
                Arguments.of("ts", new JsonString("2030-01-01T00:00:00.000000Z"), "hash is not the hash of the event"),
                Arguments.of("added", new JsonString("x"), "hash is not the hash of the event"),
                Arguments.of("hash", new JsonString("0".repeat(64)), "hash is not the hash of the event"),
                Arguments.of(
                        "prev_hash",
                        new JsonString("0".repeat(64)),
                        "prev_hash is not the hash of the event before it"),
                Arguments.of("data", JsonObject.EMPTY, "data_hash is not the hash of the data"),
                Arguments.of("seq", new JsonValue.JsonNumber(7), "seq is 7, expected 3"),
                Arguments.of("seq", new JsonString("3"), "seq is missing, expected 3"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void a_change_of_any_member_is_found_at_the_event_that_was_changed(String member, JsonValue value, String reason) {
        var changed = new ArrayList<>(CHAIN);
        changed.set(2, with(CHAIN.get(2), member, value));

        assertThat(findings(AuditVerifier.ofWholeChain(), changed))
                .element(2)
                .isEqualTo(new Broken("evt_3", 3, reason));
    }

    @Test
    void a_rewritten_event_is_found_at_the_next_one() {
        var rewritten = new ArrayList<>(CHAIN);
        rewritten.set(1, event(2, hashOf(CHAIN.getFirst()), "mallory"));

        assertThat(findings(AuditVerifier.ofWholeChain(), rewritten).get(2))
                .isEqualTo(new Broken("evt_3", 3, "prev_hash is not the hash of the event before it"));
    }

    @Test
    void a_removed_event_is_found_and_nothing_behind_it_is_trusted() {
        var gap = List.of(CHAIN.get(0), CHAIN.get(2), CHAIN.get(3));
        var broken = new Broken("evt_3", 2, "seq is 3, expected 2");

        assertThat(findings(AuditVerifier.ofWholeChain(), gap).subList(1, 3)).containsExactly(broken, broken);
    }

    @Test
    void a_redacted_payload_leaves_the_chain_intact() {
        var redacted = with(CHAIN.getFirst(), "data", JsonValue.JsonNull.NULL);

        assertThat(AuditVerifier.ofWholeChain().next(redacted)).isEqualTo(new Intact(1, hashOf(redacted), true));
    }

    @Test
    void only_a_range_may_start_behind_the_first_event() {
        assertThat(AuditVerifier.ofWholeChain().next(CHAIN.get(1)))
                .isEqualTo(new Broken("evt_2", 1, "seq is 2, expected 1"));
        assertThat(findings(AuditVerifier.ofRange(), CHAIN.subList(1, 4))).allMatch(Intact.class::isInstance);
    }

    @Test
    void a_range_that_starts_at_the_first_event_is_checked_from_zeros() {
        var first = event(1, "1".repeat(64), "alice");

        assertThat(AuditVerifier.ofRange().next(first))
                .isEqualTo(new Broken("evt_1", 1, "prev_hash is not the hash of the event before it"));
    }

    private static List<Finding> findings(AuditVerifier verifier, List<JsonObject> events) {
        return events.stream().map(verifier::next).toList();
    }

    private static List<JsonObject> chain(int length) {
        var events = new ArrayList<JsonObject>();
        var previous = "0".repeat(64);
        for (var seq = 1; seq <= length; seq++) {
            var event = event(seq, previous, "alice");
            events.add(event);
            previous = hashOf(event);
        }
        return events;
    }

    private static JsonObject event(long seq, String previous, String actor) {
        var data = JsonObject.builder().put("n", seq).build();
        var chained = JsonObject.builder()
                .put("seq", seq)
                .put("id", "evt_" + seq)
                .put("ts", "2026-01-01T00:00:00.000000Z")
                .put("type", "job.submitted")
                .put("actor", actor)
                .put("subject", "job_" + seq)
                .put("data_hash", Sha256.hex(Json.canonical(data)))
                .put("prev_hash", previous)
                .build();
        return with(with(chained, "hash", new JsonString(Sha256.hex(Json.canonical(chained)))), "data", data);
    }

    private static String hashOf(JsonObject event) {
        return event.string("hash").orElseThrow();
    }

    private static JsonObject with(JsonObject event, String member, JsonValue value) {
        var changed = JsonObject.builder();
        event.members().forEach((name, old) -> changed.put(name, name.equals(member) ? value : old));
        if (!event.has(member)) {
            changed.put(member, value);
        }
        return changed.build();
    }

    private static JsonObject reversed(JsonObject event) {
        var turned = JsonObject.builder();
        var names = new ArrayList<>(event.members().keySet());
        names.reversed().forEach(name -> turned.put(name, event.get(name).orElseThrow()));
        return turned.build();
    }
}
