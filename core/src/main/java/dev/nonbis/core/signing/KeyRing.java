package dev.nonbis.core.signing;

import dev.nonbis.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Several generations of keys: the newest signs, all of them check. */
public final class KeyRing implements Signer {

    private final SigningKey newest;
    private final PublicKeys publicKeys;

    /** @param retired keys that sign no more, newest first */
    public KeyRing(SigningKey newest, List<PublicKey> retired) {
        this.newest = newest;
        var all = new ArrayList<PublicKey>();
        all.add(newest.publicKey());
        all.addAll(retired);
        this.publicKeys = new PublicKeys(all);
    }

    @Override
    public JsonObject sign(JsonObject unsigned) {
        return newest.sign(unsigned);
    }

    /** 32 secret bytes for this purpose, the same wherever the newest key is the same. */
    public byte[] derived(String purpose) {
        return newest.derived(purpose);
    }

    @Override
    public PublicKeys publicKeys() {
        return publicKeys;
    }
}
