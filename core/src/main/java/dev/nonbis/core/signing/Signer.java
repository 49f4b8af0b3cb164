package dev.nonbis.core.signing;

import dev.nonbis.json.JsonObject;

/** Signs what others must be able to check without us. */
public interface Signer {

    /**
     * The object with {@code key_id} and {@code signature} added. The signature is over the canonical form of everything else,
     * {@code key_id} included.
     */
    JsonObject sign(JsonObject unsigned);

    /** What checks the signatures: the key that signs now and those that signed before. */
    PublicKeys publicKeys();
}
