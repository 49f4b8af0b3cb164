package dev.nonbis.core.operation;

import dev.nonbis.core.idempotency.KeyRecord;
import dev.nonbis.core.idempotency.KeyScope;
import dev.nonbis.core.operation.Admissions.Lookup;
import dev.nonbis.core.store.StoreDamaged;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Looks keys up. Every record that decides anything or is replayed comes from here, and its checksum has been checked. */
public final class Keys {

    private Keys() {}

    /**
     * What is recorded under a key.
     *
     * @throws StoreDamaged when the row is not what was written
     */
    public static Optional<KeyRecord> find(Lookup rows, KeyScope scope) {
        return rows.find(Tables.KEYS, scope)
                .map(stored -> stored.intact(scope).orElseThrow(() -> new StoreDamaged(Tables.KEYS.row(scope), null)));
    }
}
