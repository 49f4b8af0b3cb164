package dev.nonbis.core.audit;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.Sha256;
import java.time.Instant;
import java.util.Optional;

/**
 * One link of a chain. The digest covers everything but {@code data}, which is covered by its own digest, so that a payload can be
 * taken out later and the chain still verifies.
 */
public record AuditEvent(long seq, String id, Draft draft, String dataHash, String prevHash, String hash) {

    /** Where an event is found. */
    public record Key(TenantId tenant, long seq) {}

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
        String dataHash = Sha256.hex(Json.canonical(draft.data()));
        long seq = head.seq() + 1;
        String hash = Sha256.hex(Json.canonical(chained(seq, id, draft, dataHash, head.hash())));
        return new AuditEvent(seq, id, draft, dataHash, head.hash(), hash);
    }

    public AuditHead asHead() {
        return new AuditHead(seq, hash, draft.at());
    }

    /** The members that the digest covers. */
    public JsonObject chained() {
        return chained(seq, id, draft, dataHash, prevHash);
    }

    // In the order of the canonical form, which then need not sort.
    private static JsonObject chained(long seq, String id, Draft draft, String dataHash, String prevHash) {
        return JsonObject.builder()
                .put("actor", draft.actor())
                .put("data_hash", dataHash)
                .put("id", id)
                .putString("policy_hash", draft.policyHash())
                .put("prev_hash", prevHash)
                .putString("request_hash", draft.requestHash())
                .put("seq", seq)
                .put("subject", draft.subject())
                .put("ts", Timestamps.format(draft.at()))
                .put("type", draft.type())
                .build();
    }
}
