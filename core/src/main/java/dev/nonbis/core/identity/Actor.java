package dev.nonbis.core.identity;

import java.util.Set;

/** A caller whose credential was checked. */
public record Actor(TenantId tenant, String subject, Set<Role> roles) {

    public Actor {
        roles = Set.copyOf(roles);
    }

    public boolean has(Role role) {
        return roles.contains(role) || roles.contains(Role.ADMIN);
    }
}
