package dev.nonbis.core.signing;

import dev.nonbis.json.JsonObject;

/** The members that a signature adds to an object. */
final class Signatures {

    static final String KEY_ID = "key_id";
    static final String SIGNATURE = "signature";

    private Signatures() {}

    static JsonObject without(JsonObject object, String name) {
        var rest = JsonObject.builder();
        object.members().forEach((member, value) -> {
            if (!member.equals(name)) {
                rest.put(member, value);
            }
        });
        return rest.build();
    }
}
