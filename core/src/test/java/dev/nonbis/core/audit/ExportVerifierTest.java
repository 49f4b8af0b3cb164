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

    /** A log of some events, of which every hundredth tells that the payload of one ten before it was redacted. */
    private List<byte[]> export(int count) {
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
        lines.add(Json.canonical(new AuditExport(checkpoint, Optional.empty()).toJson()));
        events.forEach(event -> lines.add(line(event, event.seq() % 100 == 90)));
        return lines;
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

    private Optional<ExportVerifier.Fault> verify(List<byte[]> lines) {
        return verify(new ExportVerifier(Optional.of(keys.publicKeys())), lines);
    }

    @Test
    void an_export_that_nobody_touched_is_good() {
        var verifier = new ExportVerifier(Optional.of(keys.publicKeys()));

        assertThat(verify(verifier, export(250))).isEmpty();
        assertThat(verifier.summary().events()).isEqualTo(250);
        assertThat(verifier.summary().redacted()).isEqualTo(2);
    }

    @Test
    void the_first_broken_event_is_named() {
        var lines = export(50);
        lines.set(7, text(lines.get(7)).replace("\"n\":7", "\"n\":8").getBytes(StandardCharsets.UTF_8));

        assertThat(verify(lines))
                .contains(new ExportVerifier.Fault("event evt_7 at seq 7", "data_hash is not the hash of the data"));
    }

    @Test
    void a_tail_that_was_cut_off_is_found_wherever_it_was_cut() {
        var lines = export(120);
        for (int kept = 0; kept < lines.size(); kept++) {
            assertThat(verify(lines.subList(0, kept))).as("%d lines kept", kept).isPresent();
        }
    }

    @Test
    void a_payload_that_is_gone_without_a_word_is_found() {
        var lines = export(50);
        lines.set(7, text(lines.get(7)).replace("{\"n\":7}", "null").getBytes(StandardCharsets.UTF_8));

        assertThat(verify(lines))
                .contains(new ExportVerifier.Fault(
                        "event evt_7 at seq 7", "has lost its payload, and no event tells that it was redacted"));
    }

    @Test
    void a_log_that_was_written_anew_does_not_fit_the_signature() {
        var stranger = new KeyRing(SigningKey.generate(), List.of());

        assertThat(verify(new ExportVerifier(Optional.of(stranger.publicKeys())), export(5))
                        .orElseThrow()
                        .reason())
                .isEqualTo("has a checkpoint signed with a key that was not given");
        assertThat(verify(new ExportVerifier(Optional.of(new PublicKeys(List.of()))), export(5)))
                .isPresent();
        assertThat(verify(new ExportVerifier(Optional.empty()), export(5))).isEmpty();
    }

    /**
     * What comes before the first touched line is verified once and for all, because it is the same in every copy; each copy is verified
     * from there to its end.
     */
    @Test
    void ten_thousand_random_changes_to_an_export_of_ten_thousand_events_are_all_found() {
        var lines = export(10_000);
        var before = new ArrayList<ExportVerifier>();
        var verifier = new ExportVerifier(Optional.of(keys.publicKeys()));
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
