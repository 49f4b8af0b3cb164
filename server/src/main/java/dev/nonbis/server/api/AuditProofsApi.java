package dev.nonbis.server.api;

import dev.nonbis.core.audit.Checkpoint;
import dev.nonbis.core.operation.Page;
import dev.nonbis.core.operation.Ports;
import dev.nonbis.core.operation.ProveAudit;
import dev.nonbis.core.operation.SealCheckpoint;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.json.JsonValue.JsonString;
import dev.nonbis.server.http.Call;
import dev.nonbis.server.http.Query;
import dev.nonbis.server.http.Response;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What proves the audit log, over HTTP: signed checkpoints, and the proofs of RFC 9162. */
final class AuditProofsApi {

    private final Ports ports;
    private final SealCheckpoint sealCheckpoint;
    private final ProveAudit proveAudit;

    AuditProofsApi(Ports ports) {
        this.ports = ports;
        this.sealCheckpoint = new SealCheckpoint(ports);
        this.proveAudit = new ProveAudit(ports.store());
    }

    Response checkpoints(Call call) {
        var query = Query.of(call, Set.of("after", "limit"));
        long after = number(query, "after").orElse(0L);
        int limit = query.integer("limit", 1, Limits.MAX_PAGE, Limits.PAGE);
        var tenant = call.actor().tenant();
        var range = Range.keysStartingWith(Tables.AUDIT_CHECKPOINTS, tenant + "/")
                .after(Optional.of(Tables.AUDIT_CHECKPOINTS
                        .row(new Checkpoint.Key(tenant, after))
                        .key()));
        var page = ports.store().read(tx -> Page.of(tx, range, limit));
        var next = page.lastSeen().flatMap(key -> page.items().getLast().get("seq"));
        return Views.page(page.items(), checkpoint -> checkpoint, next);
    }

    /** Seals what there is now and tells the last checkpoint. Asking again changes nothing as long as nothing happens. */
    Response seal(Call call) {
        return sealCheckpoint
                .seal(call.actor().tenant())
                .map(checkpoint -> Response.json(200, checkpoint))
                .orElseThrow(AuditApi::notFound);
    }

    /** What stands beside an export of everything that is sealed by now. */
    Response exportSeal(Call call) {
        return proveAudit
                .seal(call.actor().tenant())
                .map(seal -> Response.json(200, seal.toJson()))
                .orElseThrow(AuditApi::notFound);
    }

    Response inclusion(Call call) {
        var query = Query.of(call, Set.of("seq", "size"));
        var tenant = call.actor().tenant();
        long size = number(query, "size").orElseGet(() -> proveAudit.sealed(tenant));
        long seq = number(query, "seq").orElse(size);
        var proof = proveAudit
                .inclusion(tenant, seq, size)
                .orElseThrow(() -> Query.invalid("seq", "Expected an event that is sealed at this size."));
        return Response.json(
                200,
                JsonObject.builder()
                        .put("seq", proof.seq())
                        .put("size", proof.size())
                        .put("root", hex(proof.root()))
                        .put("hashes", hashes(proof.hashes()))
                        .build());
    }

    Response consistency(Call call) {
        var query = Query.of(call, Set.of("from", "to"));
        var tenant = call.actor().tenant();
        long from = number(query, "from").orElse(1L);
        long to = number(query, "to").orElseGet(() -> proveAudit.sealed(tenant));
        var proof = proveAudit
                .consistency(tenant, from, to)
                .orElseThrow(() -> Query.invalid("from", "Expected sizes in order, up to what is sealed."));
        return Response.json(
                200,
                JsonObject.builder()
                        .put("from", proof.from())
                        .put("to", proof.to())
                        .put("from_root", hex(proof.fromRoot()))
                        .put("to_root", hex(proof.toRoot()))
                        .put("hashes", hashes(proof.hashes()))
                        .build());
    }

    private static Optional<Long> number(Query query, String name) {
        return query.string(name).map(text -> {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException notNumber) {
                throw Query.invalid(name, "Expected a whole number.");
            }
        });
    }

    private static String hex(byte[] hash) {
        return HexFormat.of().formatHex(hash);
    }

    private static JsonArray hashes(List<byte[]> hashes) {
        return new JsonArray(hashes.stream()
                .<JsonValue>map(hash -> new JsonString(hex(hash)))
                .toList());
    }
}
