package dev.nonbis.server.http;

import dev.nonbis.core.identity.Role;
import dev.nonbis.core.problem.ProblemCode;
import java.util.Set;

/** Who may call a route. */
public sealed interface Access {

    /** Anybody, without a credential. */
    record Open() implements Access {}

    /** A known caller that holds at least one of these roles; an unknown one is told so in these words. */
    record AnyOf(Set<Role> roles, Unknown unknown) implements Access {
        public AnyOf {
            roles = Set.copyOf(roles);
        }

        /** The same callers, and other words for those who are not known. */
        public AnyOf telling(ProblemCode missing, ProblemCode invalid) {
            return new AnyOf(roles, new Unknown(missing, invalid));
        }
    }

    /** What a caller is told that sent no credential, or one that nobody knows. */
    record Unknown(ProblemCode missing, ProblemCode invalid) {

        static final Unknown USUAL = new Unknown(ProblemCode.UNAUTHENTICATED, ProblemCode.UNAUTHENTICATED);
    }

    static Access open() {
        return new Open();
    }

    static AnyOf anyOf(Role... roles) {
        return new AnyOf(Set.of(roles), Unknown.USUAL);
    }

    /** Any known caller, whatever its roles. */
    static AnyOf anyKnown() {
        return new AnyOf(Set.of(Role.values()), Unknown.USUAL);
    }
}
