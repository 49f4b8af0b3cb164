package dev.nonbis.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.nonbis.core.audit.AuditEvent;
import dev.nonbis.core.audit.AuditPage;
import dev.nonbis.core.audit.AuditSeal;
import dev.nonbis.core.audit.ExportVerifier;
import dev.nonbis.core.audit.MerkleHash;
import dev.nonbis.core.audit.MerkleProof;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.operation.AuditLog;
import dev.nonbis.core.operation.DropSegment;
import dev.nonbis.core.operation.FindLostKey;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import dev.nonbis.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AuditProofsTest {

    private static final TenantId TENANT = new TenantId("acme");

    private final TestPlane plane = new TestPlane();
    private final SealCheckpoint seal = new SealCheckpoint(plane.ports);

    private void happen(int times) {
        for (int i = 0; i < times; i++) {
            plane.post("/api/v1/jobs").body("{\"topic\":\"job.default\"}").send();
        }
    }

    private List<JsonObject> checkpoints() {
        return plane.get("/api/v1/audit/checkpoints").send().items();
    }

    private static byte[] hash(JsonObject json, String name) {
        return HexFormat.of().parseHex(json.string(name).orElseThrow());
    }

    private static List<byte[]> hashes(JsonObject json) {
        return json.array("hashes").orElseThrow().items().stream()
                .map(item -> HexFormat.of().parseHex(((JsonString) item).value()))
                .toList();
    }

    private JsonObject event(long seq) {
        return plane.get("/api/v1/audit?after=" + (seq - 1) + "&limit=1")
                .send()
                .items()
                .getFirst();
    }

    private static byte[] leaf(JsonObject event) {
        var chained = JsonObject.builder();
        event.members().forEach((name, value) -> {
            if (!name.equals("hash") && !name.equals("data")) {
                chained.put(name, value);
            }
        });
        return MerkleHash.leaf(Json.canonical(chained.build()));
    }

    private Optional<ExportVerifier.Fault> verifyExport() {
        var verifier = ExportVerifier.ofWholeLog(Optional.of(plane.signer.publicKeys()));
        var seal = AuditSeal.of(plane.get("/api/v1/audit/seal").send().json()).orElseThrow();
        var fault = verifier.mustFit(seal);
        long last = seal.checkpoint().integer("seq").orElseThrow();
        for (var event : plane.get("/api/v1/audit?limit=1000").send().items()) {
            if (fault.isEmpty() && event.integer("seq").orElseThrow() <= last) {
                fault = verifier.line(line(event));
            }
        }
        return fault.isPresent() ? fault : verifier.end();
    }

    private static byte[] line(JsonObject json) {
        return AuditSeal.line(json).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_checkpoint_is_made_a_minute_after_the_last_when_something_happened() {
        happen(3);
        assertThat(seal.runOnce()).isEqualTo(1);
        happen(2);
        assertThat(seal.runOnce()).isZero();
        plane.clock.advance(Duration.ofSeconds(60));
        assertThat(seal.runOnce()).isEqualTo(1);
        plane.clock.advance(Duration.ofSeconds(60));
        assertThat(seal.runOnce()).isZero();

        var made = checkpoints();
        assertThat(made.stream().map(c -> c.integer("seq").orElseThrow())).containsExactly(3L, 5L);
        assertThat(made).allMatch(c -> plane.signer.publicKeys().check(c) == PublicKeys.Finding.GOOD);
        assertThat(made.getLast().string("hash")).isEqualTo(event(5).string("hash"));
    }

    @Test
    void a_clock_that_is_set_back_does_not_hold_a_checkpoint_up() {
        happen(1);
        seal.runOnce();
        plane.clock.advance(Duration.ofHours(-1));
        happen(1);

        assertThat(seal.runOnce()).isEqualTo(1);
    }

    @Test
    void a_checkpoint_is_made_after_each_thousand_events() {
        happen(2_100);
        assertThat(seal.runOnce()).isEqualTo(2);
        plane.clock.advance(Duration.ofSeconds(60));
        assertThat(seal.runOnce()).isEqualTo(1);

        assertThat(checkpoints().stream().map(c -> c.integer("seq").orElseThrow()))
                .containsExactly(1_000L, 2_000L, 2_100L);
    }

    @Test
    void checkpoints_that_are_made_together_are_each_of_the_log_as_it_was() {
        happen(9_100);
        assertThat(seal.runOnce()).isEqualTo(9);

        var made = checkpoints();
        assertThat(made).hasSize(9);
        for (int i = 1; i < 9; i++) {
            long size = i * 1_000L;
            var proof = plane.get("/api/v1/audit/consistency?from=" + size + "&to=9000")
                    .send()
                    .json();
            assertThat(MerkleProof.isConsistent(
                            size, hash(made.get(i - 1), "root"), 9_000, hash(made.get(8), "root"), hashes(proof)))
                    .isTrue();
            assertThat(made.get(i - 1).string("hash")).isEqualTo(event(size).string("hash"));
        }
    }

    @Test
    void sealing_now_gives_the_last_checkpoint_again_when_nothing_happened() {
        assertThat(plane.post("/api/v1/audit/checkpoints").send().code()).isEqualTo("audit_event_not_found");
        happen(1);
        var first = plane.post("/api/v1/audit/checkpoints").send();
        plane.clock.advance(Duration.ofHours(1));

        assertThat(plane.post("/api/v1/audit/checkpoints").send().text()).isEqualTo(first.text());
        assertThat(checkpoints()).hasSize(1);
    }

    @Test
    void a_log_from_which_a_page_is_missing_is_not_sealed() {
        happen(20);
        plane.ports.store().<Void>transact(tx -> {
            tx.delete(Tables.AUDIT, new AuditPage.Key(TENANT, 1));
            return null;
        });

        assertThatIllegalStateException().isThrownBy(() -> seal.seal(TENANT)).withMessageContaining("lacks event 9");
        assertThat(checkpoints()).isEmpty();
    }

    @Test
    void a_log_that_ends_before_its_head_is_not_sealed() {
        happen(16);
        seal.seal(TENANT);
        happen(8);
        plane.ports.store().<Void>transact(tx -> {
            tx.delete(Tables.AUDIT, new AuditPage.Key(TENANT, 2));
            return null;
        });

        assertThatIllegalStateException().isThrownBy(() -> seal.seal(TENANT)).withMessageContaining("lacks event 17");
        assertThat(checkpoints()).hasSize(1);
    }

    @Test
    void a_log_that_cannot_be_sealed_keeps_no_other_from_it() {
        happen(20);
        plane.ports.store().<Void>transact(tx -> {
            tx.delete(Tables.AUDIT, new AuditPage.Key(TENANT, 1));
            return null;
        });
        plane.clock.advance(Duration.ofSeconds(1));
        plane.post("/api/v1/jobs")
                .as(TestPlane.GLOBEX)
                .body("{\"topic\":\"job.default\"}")
                .send();

        assertThatIllegalStateException().isThrownBy(seal::runOnce).withMessageContaining("lacks event 9");
        assertThat(plane.get("/api/v1/audit/checkpoints")
                        .as(TestPlane.GLOBEX)
                        .send()
                        .items())
                .hasSize(1);
    }

    @Test
    void every_event_is_proved_against_the_root_of_the_checkpoint() {
        happen(30);
        var checkpoint = plane.post("/api/v1/audit/checkpoints").send().json();
        for (long seq = 1; seq <= 30; seq++) {
            var proof = plane.get("/api/v1/audit/proof?seq=" + seq).send().json();

            assertThat(proof.string("root")).isEqualTo(checkpoint.string("root"));
            assertThat(MerkleProof.isIncluded(leaf(event(seq)), seq - 1, 30, hashes(proof), hash(proof, "root")))
                    .isTrue();
        }
    }

    @Test
    void two_checkpoints_are_proved_to_be_of_one_log() {
        happen(7);
        var before = plane.post("/api/v1/audit/checkpoints").send().json();
        happen(13);
        var after = plane.post("/api/v1/audit/checkpoints").send().json();

        var proof = plane.get("/api/v1/audit/consistency?from=7&to=20").send().json();

        assertThat(MerkleProof.isConsistent(7, hash(before, "root"), 20, hash(after, "root"), hashes(proof)))
                .isTrue();
    }

    @Test
    void what_is_not_sealed_cannot_be_proved() {
        happen(3);
        plane.post("/api/v1/audit/checkpoints").send();
        happen(1);

        for (String query : List.of(
                "proof?seq=4", "proof?seq=0", "proof?seq=1&size=4", "consistency?from=3&to=4", "consistency?from=0")) {
            assertThat(plane.get("/api/v1/audit/" + query).send().code()).isEqualTo("invalid_query");
        }
    }

    @Test
    void a_payload_is_redacted_and_chain_and_proofs_stay_as_they_were() {
        happen(5);
        plane.post("/api/v1/audit/checkpoints").send();
        var proof = plane.get("/api/v1/audit/proof?seq=2&size=5").send().text();
        var event = event(2);

        var redacted = plane.post("/api/v1/audit/2/redact")
                .body("{\"reason\":\"personal data\"}")
                .send();
        var again = plane.post("/api/v1/audit/2/redact")
                .body("{\"reason\":\"personal data\"}")
                .send();

        assertThat(redacted.string("status")).isEqualTo("redacted");
        assertThat(again.string("status")).isEqualTo("already_redacted");
        assertThat(event(2).get("data")).contains(JsonNull.NULL);
        assertThat(event(2).string("hash")).isEqualTo(event.string("hash"));
        assertThat(event(6).string("type")).contains("audit.redacted");
        assertThat(event(6).string("subject")).isEqualTo(event.string("id"));
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(6);
        assertThat(plane.get("/api/v1/audit/proof?seq=2&size=5").send().text()).isEqualTo(proof);
        plane.post("/api/v1/audit/checkpoints").send();
        assertThat(verifyExport()).isEmpty();
    }

    @Test
    void a_payload_on_a_full_page_is_redacted_and_its_neighbours_stay() {
        happen(20);

        plane.post("/api/v1/audit/3/redact")
                .body("{\"reason\":\"personal data\"}")
                .send();

        assertThat(event(3).get("data")).contains(JsonNull.NULL);
        assertThat(event(2).object("data")).isPresent();
        assertThat(event(4).object("data")).isPresent();
        plane.post("/api/v1/audit/checkpoints").send();
        assertThat(verifyExport()).isEmpty();
    }

    @Test
    void the_log_reads_as_one_list_from_every_place_whatever_is_on_a_page() {
        for (int events = 0; events <= 19; events++) {
            for (long place = 0; place <= events + 1; place++) {
                for (int limit : List.of(1, 2, 7, 8, 9, 30)) {
                    assertThat(seqsAfter(place, limit)).isEqualTo(upwards(place + 1, Math.min(events, place + limit)));
                    assertThat(seqsBefore(place, limit))
                            .isEqualTo(upwards(Math.max(1, place - limit), Math.min(events, place - 1))
                                    .reversed());
                }
                long seq = place;
                assertThat(plane.ports
                                .store()
                                .read(tx -> AuditLog.find(tx, TENANT, seq))
                                .map(AuditEvent::seq))
                        .isEqualTo(place >= 1 && place <= events ? Optional.of(place) : Optional.empty());
            }
            happen(1);
        }
    }

    private List<Long> seqsAfter(long place, int limit) {
        return plane.ports.store().read(tx -> AuditLog.after(tx, TENANT, place, limit)).stream()
                .map(AuditEvent::seq)
                .toList();
    }

    private List<Long> seqsBefore(long place, int limit) {
        return plane.ports.store().read(tx -> AuditLog.before(tx, TENANT, Optional.of(place), limit)).events().stream()
                .map(AuditEvent::seq)
                .toList();
    }

    private static List<Long> upwards(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void redacting_needs_a_reason_a_role_and_an_event() {
        happen(1);

        assertThat(plane.post("/api/v1/audit/1/redact").body("{}").send().code())
                .isEqualTo("missing_field");
        assertThat(plane.post("/api/v1/audit/1/redact")
                        .as("acme-auditor")
                        .body("{\"reason\":\"r\"}")
                        .send()
                        .code())
                .isEqualTo("forbidden");
        for (String seq : List.of("2", "0", "x")) {
            assertThat(plane.post("/api/v1/audit/" + seq + "/redact")
                            .body("{\"reason\":\"r\"}")
                            .send()
                            .code())
                    .isEqualTo("audit_event_not_found");
        }
        assertThat(plane.post("/api/v1/audit/1/redact")
                        .as(TestPlane.GLOBEX)
                        .body("{\"reason\":\"r\"}")
                        .send()
                        .code())
                .isEqualTo("audit_event_not_found");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(1);
    }

    @Test
    void a_sealed_beginning_is_dropped_and_the_rest_verifies_from_its_checkpoint() {
        happen(11);
        plane.post("/api/v1/audit/checkpoints").send();
        happen(9);

        var refused = plane.post("/api/v1/audit/drop")
                .body("{\"through\":10,\"reason\":\"kept for a year\"}")
                .send();
        var dropped = plane.post("/api/v1/audit/drop")
                .body("{\"through\":11,\"reason\":\"kept for a year\"}")
                .send();

        assertThat(refused.code()).isEqualTo("invalid_field");
        assertThat(dropped.string("status")).isEqualTo("dropped");
        assertThat(plane.get("/api/v1/audit").send().items().getFirst().integer("seq"))
                .contains(12L);
        assertThat(plane.post("/api/v1/audit/11/redact")
                        .body("{\"reason\":\"r\"}")
                        .send()
                        .code())
                .isEqualTo("audit_event_not_found");
        var drop = new DropSegment(plane.ports);
        assertThat(drop.runOnce()).isEqualTo(11);
        assertThat(drop.runOnce()).isZero();
        plane.post("/api/v1/audit/checkpoints").send();
        assertThat(verifyExport()).isEmpty();
        assertThat(event(21).string("type")).contains("audit.segment_dropped");
        var proof = plane.get("/api/v1/audit/proof?seq=15&size=21").send().json();
        assertThat(MerkleProof.isIncluded(leaf(event(15)), 14, 21, hashes(proof), hash(proof, "root")))
                .isTrue();
        assertThat(plane.post("/api/v1/audit/drop")
                        .body("{\"through\":11,\"reason\":\"again\"}")
                        .send()
                        .string("status"))
                .isEqualTo("already_dropped");
        assertThat(plane.auditEvents(TestPlane.ACME)).isEqualTo(21);
    }

    @Test
    void a_store_that_was_sealed_with_a_key_that_is_gone_is_noticed() {
        assertThat(new FindLostKey(plane.ports).find()).isEmpty();
        happen(1);
        var checkpoint = plane.post("/api/v1/audit/checkpoints").send();
        var stranger = portsWith(new KeyRing(SigningKey.generate(), List.of()));
        var rotated = portsWith(
                new KeyRing(SigningKey.generate(), plane.signer.publicKeys().keys()));

        assertThat(new FindLostKey(plane.ports).find()).isEmpty();
        assertThat(new FindLostKey(rotated).find()).isEmpty();
        assertThat(new FindLostKey(stranger).find()).contains(checkpoint.string("key_id"));
    }

    private Ports portsWith(KeyRing signer) {
        var ports = plane.ports;
        return new Ports(
                ports.store(),
                ports.clock(),
                ports.ids(),
                ports.policy(),
                ports.expressions(),
                signer,
                ports.settings());
    }

    @Test
    void each_tenant_has_a_log_of_its_own() {
        happen(3);
        plane.post("/api/v1/audit/checkpoints").send();

        assertThat(plane.get("/api/v1/audit/checkpoints")
                        .as(TestPlane.GLOBEX)
                        .send()
                        .items())
                .isEmpty();
        assertThat(plane.get("/api/v1/audit/proof?seq=1")
                        .as(TestPlane.GLOBEX)
                        .send()
                        .code())
                .isEqualTo("invalid_query");
    }
}
