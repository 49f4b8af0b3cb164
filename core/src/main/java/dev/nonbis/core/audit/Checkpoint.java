package dev.nonbis.core.audit;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.identity.Timestamps;
import dev.nonbis.json.JsonObject;
import java.time.Instant;
import java.util.HexFormat;

/** A promise about a tenant's log up to one event: its chain's digest there and its tree's root. Signed, it binds us. */
public final class Checkpoint {

    /** Names what was signed, so that a signature on one kind of thing can never pass for one on another. */
    public static final String TYPE = "nonbis.audit_checkpoint.v1";

    private Checkpoint() {}

    /** Where a checkpoint is found. */
    public record Key(TenantId tenant, long seq) {}

    /** The members of a checkpoint, before it is signed. */
    public static JsonObject unsigned(TenantId tenant, AuditHead head, byte[] root, Instant at) {
        return JsonObject.builder()
                .put("type", TYPE)
                .put("tenant", tenant.value())
                .put("seq", head.seq())
                .put("hash", head.hash())
                .put("root", HexFormat.of().formatHex(root))
                .put("time", Timestamps.format(at))
                .build();
    }
}
