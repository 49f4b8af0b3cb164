package dev.nonbis.server.http;

import dev.nonbis.core.identity.Role;
import java.util.Set;

/** Who may call a route. */
public sealed interface Access {

    /** Anybody, without a credential. */
    record Open() implements Access {}

    /** A known caller that holds at least one of these roles. */
    record AnyOf(Set<Role> roles) implements Access {
        public AnyOf {
            roles = Set.copyOf(roles);
        }
    }

    static Access open() {
        return new Open();
    }

    static Access anyOf(Role... roles) {
        return new AnyOf(Set.of(roles));
    }

    /** Any known caller, whatever its roles. */
    static Access anyKnown() {
        return new AnyOf(Set.of(Role.values()));
    }
}
