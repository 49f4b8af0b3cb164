package dev.nonbis.core.identity;

import java.util.Set;

/** Who makes a call: a subject of one tenant with some roles. */
public record Actor(TenantId tenant, String subject, Set<Role> roles) {

    public Actor {
        roles = Set.copyOf(roles);
    }

    public boolean has(Role role) {
        return roles.contains(role) || roles.contains(Role.ADMIN);
    }
}
