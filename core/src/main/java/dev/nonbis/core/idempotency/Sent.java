package dev.nonbis.core.idempotency;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.json.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * A digest of a request just as it was sent, and of who sent it. Two that are equal are the same request and meet the same checks, so
 * that the second one can be answered without being read; two that differ may still be the same request, written in another way.
 */
public record Sent(String digest) {

    public static Sent of(Actor actor, String path, byte[] body) {
        var sender = new StringBuilder(path);
        for (Role role : Role.values()) {
            sender.append(actor.roles().contains(role) ? '+' : '-');
        }
        // The length says where the subject ends, whatever is in it.
        sender.append(actor.subject().length()).append(' ').append(actor.subject());
        return new Sent(Sha256.hex(sender.toString().getBytes(StandardCharsets.UTF_8), body));
    }
}
