package dev.nonbis.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNull;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExportVerifierTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final KeyRing keys = new KeyRing(SigningKey.generate(), List.of());

    /** An export and what stands beside it. */
    private record Export(List<byte[]> lines, AuditSeal seal) {}

    /** A log of some events, of which every hundredth tells that the payload of one ten before it was redacted. */
    private Export export(int count) {
        var events = new ArrayList<AuditEvent>();
        var tree = new MerkleFrontier();
        var head = AuditHead.NONE;
        for (int i = 1; i <= count; i++) {
            boolean redaction = i % 100 == 0;
            var event = AuditEvent.after(
                    head,
                    "evt_" + i,
                    new AuditEvent.Draft(
                            NOON.plusSeconds(i),
                            redaction ? "audit.redacted" : "payment.decided",
                            "alice",
                            redaction ? "evt_" + (i - 10) : "pay_" + i,
                            Optional.empty(),
                            Optional.empty(),
                            JsonObject.builder().put("n", i).build()));
            events.add(event);
            tree.add(MerkleHash.leaf(event.chained()));
            head = event.asHead();
        }
        var lines = new ArrayList<byte[]>();
        var checkpoint = keys.sign(Checkpoint.unsigned(ACME, head, tree.root(), NOON));
        events.forEach(event -> lines.add(line(event, event.seq() % 100 == 90)));
        return new Export(lines, new AuditSeal(checkpoint, Optional.empty()));
    }

    private static byte[] line(AuditEvent event, boolean redacted) {
        var json = JsonObject.builder();
        ((JsonObject) Json.parse(event.chained())).members().forEach(json::put);
        return Json.canonical(json.put("hash", event.hash())
                .put("data", redacted ? JsonNull.NULL : Json.parse(event.data()))
                .build());
    }

    private static Optional<ExportVerifier.Fault> verify(ExportVerifier verifier, List<byte[]> lines) {
        for (byte[] line : lines) {
            var fault = verifier.line(line);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return verifier.end();
    }

    private ExportVerifier sealedBy(AuditSeal seal) {
        var verifier = ExportVerifier.ofWholeLog(Optional.of(keys.publicKeys()));
        assertThat(verifier.mustFit(seal)).isEmpty();
        return verifier;
    }

    private Optional<ExportVerifier.Fault> verify(Export export) {
        return verify(sealedBy(export.seal()), export.lines());
    }

    private static Optional<ExportVerifier.Fault> unsealed(List<byte[]> lines) {
        return verify(ExportVerifier.ofWholeLog(Optional.empty()), lines);
    }

    @Test
    void an_export_that_nobody_touched_is_good() {
        var export = export(250);
        var verifier = sealedBy(export.seal());

        assertThat(verify(verifier, export.lines())).isEmpty();
        assertThat(verifier.summary().events()).isEqualTo(250);
        assertThat(verifier.summary().redacted()).isEqualTo(2);
        assertThat(verifier.summary().sealed()).isEqualTo(250);
    }

    @Test
    void the_first_broken_event_is_named() {
        var lines = export(50).lines();
        lines.set(6, text(lines.get(6)).replace("\"n\":7", "\"n\":8").getBytes(StandardCharsets.UTF_8));

        assertThat(unsealed(lines))
                .contains(new ExportVerifier.Fault("event evt_7 at seq 7", "data_hash is not the hash of the data"));
    }

    @Test
    void a_tail_that_was_cut_off_is_found_wherever_it_was_cut() {
        var export = export(120);
        for (int kept = 0; kept < export.lines().size(); kept++) {
            assertThat(verify(new Export(export.lines().subList(0, kept), export.seal())))
                    .as("%d lines kept", kept)
                    .isPresent();
        }
    }

    @Test
    void an_event_that_was_added_behind_the_seal_is_found_and_one_behind_an_older_checkpoint_is_not_a_fault() {
        var longer = export(12);
        var seal = export(10).seal();

        assertThat(verify(new Export(longer.lines(), seal)))
                .contains(new ExportVerifier.Fault(
                        "event at seq 11", "comes after the last one that the export was sealed with"));

        var verifier = ExportVerifier.ofWholeLog(Optional.of(keys.publicKeys()));
        assertThat(verifier.mustPass(seal.checkpoint())).isEmpty();
        assertThat(verify(verifier, longer.lines())).isEmpty();
        assertThat(verifier.summary().sealed()).isEqualTo(10);
    }

    @Test
    void a_checkpoint_of_another_history_is_not_passed() {
        var export = export(10);
        var other =
                keys.sign(Checkpoint.unsigned(ACME, new AuditHead(5, "0".repeat(64), NOON), MerkleHash.empty(), NOON));
        var verifier = ExportVerifier.ofWholeLog(Optional.of(keys.publicKeys()));
        assertThat(verifier.mustPass(other)).isEmpty();

        assertThat(verify(verifier, export.lines()))
                .contains(new ExportVerifier.Fault(
                        "event at seq 5", "is not the one that the checkpoint was signed for"));
    }

    @Test
    void a_seal_without_its_parts_is_none() {
        for (var json : List.of(
                JsonObject.EMPTY,
                JsonObject.builder().put("type", Checkpoint.TYPE).build(),
                JsonObject.builder()
                        .put("checkpoint", JsonObject.EMPTY)
                        .put("base", "x")
                        .build())) {
            assertThat(AuditSeal.of(json)).isEmpty();
        }
        var verifier = ExportVerifier.ofWholeLog(Optional.empty());
        assertThat(verifier.mustPass(JsonObject.EMPTY)).isPresent();
        assertThat(verifier.mustPass(keys.sign(Checkpoint.unsigned(ACME, AuditHead.NONE, MerkleHash.empty(), NOON))))
                .isPresent();
    }

    @Test
    void a_missing_beginning_needs_an_event_that_says_that_it_was_dropped() {
        var whole = export(10).lines();
        var tree = new MerkleFrontier();
        for (byte[] line : whole.subList(0, 4)) {
            tree.add(MerkleHash.leaf(Json.canonical(AuditVerifier.chained((JsonObject) Json.parse(line)))));
        }
        var fourth = (JsonObject) Json.parse(whole.get(3));
        var head = new AuditHead(4, fourth.string("hash").orElseThrow(), NOON);
        // A genuine checkpoint of the log, so that everything is signed.
        var base =
                new AuditSeal.Base(keys.sign(Checkpoint.unsigned(ACME, head, tree.root(), NOON)), List.of(tree.root()));
        var seal = new AuditSeal(export(10).seal().checkpoint(), Optional.of(base));

        assertThat(verify(sealedBy(seal), whole.subList(4, 10)))
                .contains(new ExportVerifier.Fault(
                        "the beginning up to seq 4", "is missing, and no event of the log says that it was dropped"));

        var range = ExportVerifier.ofRange(Optional.of(keys.publicKeys()));
        assertThat(range.mustFit(seal)).isEmpty();
        assertThat(verify(range, whole.subList(4, 10))).isEmpty();
        assertThat(range.summary().first()).isEqualTo(5);
    }

    @Test
    void a_payload_that_is_gone_without_a_word_is_found() {
        var export = export(50);
        var lines = export.lines();
        lines.set(6, text(lines.get(6)).replace("{\"n\":7}", "null").getBytes(StandardCharsets.UTF_8));

        assertThat(verify(export))
                .contains(new ExportVerifier.Fault(
                        "event evt_7 at seq 7", "has lost its payload, and no event tells that it was redacted"));
    }

    @Test
    void a_log_that_was_written_anew_does_not_fit_the_signature() {
        var stranger = new KeyRing(SigningKey.generate(), List.of());
        var export = export(5);

        assertThat(ExportVerifier.ofWholeLog(Optional.of(stranger.publicKeys())).mustFit(export.seal()))
                .contains(new ExportVerifier.Fault("the checkpoint", "is signed with a key that was not given"));
        assertThat(ExportVerifier.ofWholeLog(Optional.of(new PublicKeys(List.of())))
                        .mustFit(export.seal()))
                .isPresent();
        assertThat(ExportVerifier.ofWholeLog(Optional.empty()).mustFit(export.seal()))
                .isEmpty();
    }

    @Test
    void line_breaks_byte_order_marks_and_empty_lines_are_not_canonical() {
        var lines = export(3).lines();
        for (String changed : List.of(text(lines.getFirst()) + "\r", "\ufeff" + text(lines.getFirst()), "", " ")) {
            assertThat(unsealed(List.of(changed.getBytes(StandardCharsets.UTF_8))))
                    .as("%s", changed)
                    .isPresent();
        }
    }

    /**
     * What comes before the first touched line is verified once and for all, because it is the same in every copy; each copy is verified
     * from there to its end.
     */
    @Test
    void ten_thousand_random_changes_to_an_export_of_ten_thousand_events_are_all_found() {
        var export = export(10_000);
        var lines = export.lines();
        var before = new ArrayList<ExportVerifier>();
        var verifier = sealedBy(export.seal());
        for (byte[] line : lines) {
            before.add(verifier.copy());
            assertThat(verifier.line(line)).isEmpty();
        }
        assertThat(verifier.end()).isEmpty();
        long seed = 20_260_301;
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 10_000; i++) {
            var tampered = Tampering.of(lines, random);
            var rest =
                    tampered.lines().subList(tampered.first(), tampered.lines().size());
            assertThat(verify(before.get(tampered.first()).copy(), rest))
                    .as("change %d of seed %d: %s", i, seed, tampered.what())
                    .isPresent();
        }
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8);
    }
}
