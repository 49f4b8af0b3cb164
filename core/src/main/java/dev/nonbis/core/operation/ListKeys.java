package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.idempotency.Operation;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.store.KeyCodec;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Store;
import dev.nonbis.core.store.Tables;
import java.time.Instant;
import java.util.List;

/** Finds a tenant's live keys by how they begin. Damaged ones are left out; a look-up of one says so. */
public final class ListKeys {

    private final Store store;

    public ListKeys(Store store) {
        this.store = store;
    }

    /** A key and what is recorded under it. */
    public record Found(KeyScope scope, KeyRecord record) {}

    /** In the order of their names. */
    public List<Found> startingWith(TenantId tenant, Operation operation, String beginning, Instant now, int limit) {
        var range = Range.keysStartingWith(Tables.KEYS, tenant + "/" + operation.word() + "/" + beginning)
                .limit(limit);
        return store.read(tx -> tx.scan(range)).stream()
                .flatMap(hit -> KeyCodec.scope(hit.key())
                        .flatMap(scope -> hit.row().intact(scope).map(record -> new Found(scope, record)))
                        .stream())
                .filter(found -> found.record().isLive(now))
                .toList();
    }
}
