package dev.nonbis.server.ui;

import dev.nonbis.core.identity.Actor;
import dev.nonbis.core.identity.Role;
import dev.nonbis.core.identity.TenantId;
import dev.nonbis.server.http.Request;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * One request of somebody signed in.
 *
 * @param heard the last event of the tenant's log before anything was read for the answer
 */
record Visit(Request request, Session session, Actor actor, Instant now, long heard) {

    Visit havingHeard(long event) {
        return new Visit(request, session, actor, now, event);
    }

    TenantId tenant() {
        return actor.tenant();
    }

    /** Whether the visitor holds one of these roles, as the API would ask. */
    boolean may(Role... roles) {
        return Arrays.stream(roles).anyMatch(actor::has);
    }

    Optional<String> query(String name) {
        return request.query(name).filter(text -> !text.isBlank()).map(String::strip);
    }
}
