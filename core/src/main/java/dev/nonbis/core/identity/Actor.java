package dev.nonbis.core.identity;

import java.util.Set;

/** Who makes a call: a {@link Subject} of one tenant with some roles. */
public record Actor(TenantId tenant, String subject, Set<Role> roles) {

    public Actor {
        if (!Subject.isValid(subject)) {
            throw new IllegalArgumentException("a subject is " + Subject.GRAMMAR);
        }
        roles = Set.copyOf(roles);
    }

    public boolean has(Role role) {
        return roles.contains(role) || roles.contains(Role.ADMIN);
    }
}
