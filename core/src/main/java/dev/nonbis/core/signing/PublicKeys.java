package dev.nonbis.core.signing;

import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keys that check signatures, found by their ids; written as a JWK set (RFC 7517). */
public record PublicKeys(List<PublicKey> keys) {

    public PublicKeys {
        keys = List.copyOf(keys);
    }

    /** What a signature is worth. */
    public enum Finding {
        GOOD,
        /** There is no key id or no signature. */
        NOT_SIGNED,
        /** Nobody here knows the key. */
        UNKNOWN_KEY,
        /** The content is not what was signed. */
        BAD
    }

    /** Reads a JWK set. Keys of other kinds are left out; empty when it is no such set. */
    public static Optional<PublicKeys> ofJwkSet(JsonValue value) {
        if (!(value instanceof JsonObject set) || set.array("keys").isEmpty()) {
            return Optional.empty();
        }
        var keys = new ArrayList<PublicKey>();
        for (var item : set.array("keys").get().items()) {
            if (item instanceof JsonObject jwk) {
                PublicKey.ofJwk(jwk).ifPresent(keys::add);
            }
        }
        return Optional.of(new PublicKeys(keys));
    }

    public JsonObject toJwkSet() {
        return JsonObject.builder()
                .put(
                        "keys",
                        new JsonArray(
                                keys.stream().<JsonValue>map(PublicKey::toJwk).toList()))
                .build();
    }

    /** Checks an object that {@link Signer#sign} signed. */
    public Finding check(JsonObject signed) {
        var id = signed.string(Signatures.KEY_ID);
        var signature = signed.string(Signatures.SIGNATURE);
        if (id.isEmpty() || signature.isEmpty()) {
            return Finding.NOT_SIGNED;
        }
        var key = keys.stream().filter(known -> known.id().equals(id.get())).findFirst();
        if (key.isEmpty()) {
            return Finding.UNKNOWN_KEY;
        }
        byte[] message = Json.canonical(Signatures.without(signed, Signatures.SIGNATURE));
        boolean good = PublicKey.decode(signature.get())
                .map(bytes -> key.get().isSigned(message, bytes))
                .orElse(false);
        return good ? Finding.GOOD : Finding.BAD;
    }
}
