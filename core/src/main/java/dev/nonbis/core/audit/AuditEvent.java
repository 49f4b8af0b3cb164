package dev.nonbis.core.audit;

import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonText;
import dev.nonbis.json.Sha256;
import java.time.Instant;
import java.util.Optional;

/**
 * One link of a chain. The digest covers everything but {@code data}, which is covered by its own digest, so that a payload can be
 * taken out later and the chain still verifies.
 *
 * @param chained the canonical form of the members that the digest covers
 * @param data the canonical form of the data; empty when it was taken out
 */
public record AuditEvent(long seq, Instant at, String hash, byte[] chained, byte[] data) {

    /** What happened, before it has its place in the chain. */
    public record Draft(
            Instant at,
            String type,
            String actor,
            String subject,
            Optional<String> requestHash,
            Optional<String> policyHash,
            JsonObject data) {}

    /** The event that follows the head. */
    public static AuditEvent after(AuditHead head, String id, Draft draft) {
        byte[] data = Json.canonical(draft.data());
        long seq = head.seq() + 1;
        // In the order of their names, which makes it the canonical form.
        byte[] chained = new JsonText()
                .put("actor", draft.actor())
                .put("data_hash", Sha256.hex(data))
                .put("id", id)
                .putString("policy_hash", draft.policyHash())
                .put("prev_hash", head.hash())
                .putString("request_hash", draft.requestHash())
                .put("seq", seq)
                .put("subject", draft.subject())
                .put("ts", Timestamps.format(draft.at()))
                .put("type", draft.type())
                .end();
        return new AuditEvent(seq, draft.at(), Sha256.hex(chained), chained, data);
    }

    /** Whether the payload was taken out; its digest stays. */
    public boolean isRedacted() {
        return data.length == 0;
    }

    public AuditEvent redacted() {
        return new AuditEvent(seq, at, hash, chained, new byte[0]);
    }

    public AuditHead asHead() {
        return new AuditHead(seq, hash, at);
    }
}
