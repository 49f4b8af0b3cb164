package dev.nonbis.core.operation;

import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import java.util.Optional;

/** Finds out whether the store was last sealed with a key that is not here: then nobody can check what was signed with it. */
public final class FindLostKey {

    private final Ports ports;

    public FindLostKey(Ports ports) {
        this.ports = ports;
    }

    /** The id of the key that is missing. */
    public Optional<String> find() {
        var last = Range.keysStartingWith(Tables.AUDIT_CHECKPOINTS, "")
                .newestFirst()
                .limit(1);
        return ports.store().read(tx -> tx.scan(last)).stream()
                .map(hit -> hit.row())
                .filter(checkpoint -> ports.signer().publicKeys().check(checkpoint) == PublicKeys.Finding.UNKNOWN_KEY)
                .flatMap(checkpoint -> checkpoint.string("key_id").stream())
                .findFirst();
    }
}
