package dev.nonbis.client;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a human says with an approval or a rejection.
 *
 * @param reason why, for the timeline and the audit log
 * @param note anything else, for the same places
 * @param requestHash the digest of the content that the human has seen; the decision then counts for no other
 */
public record Decision(Optional<String> reason, Optional<String> note, Optional<String> requestHash) {

    /** No word more than the decision. It is not bound to any content. */
    public static final Decision PLAIN = new Decision(Optional.empty(), Optional.empty(), Optional.empty());

    /** A decision about exactly the content with this digest. */
    public static Decision about(String requestHash) {
        return new Decision(Optional.empty(), Optional.empty(), Optional.of(requestHash));
    }

    public Decision because(String why) {
        return new Decision(Optional.of(why), note, requestHash);
    }

    ObjectNode toBody() {
        var body = Transport.JSON.createObjectNode();
        reason.ifPresent(text -> body.put("reason", text));
        note.ifPresent(text -> body.put("note", text));
        requestHash.ifPresent(hash -> body.put("request_hash", hash));
        return body;
    }
}
