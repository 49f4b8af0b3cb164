package dev.nonbis.server.tracing;

import dev.nonbis.core.approval.Approval;
import dev.nonbis.core.approval.Approval.Decision;
import dev.nonbis.core.identity.Trace;
import java.util.Optional;
import java.util.function.Supplier;

/** Is told by handlers what a trace should say besides that there was a request. */
public interface Tracing {

    Tracing NONE = new Tracing() {
        @Override
        public void repeats(Supplier<Optional<Trace>> original) {}

        @Override
        public void decided(Approval approval, Decision decision) {}
    };

    /** The request under way repeats one that is part of another trace, or of the same; that is looked up only if somebody wants to know. */
    void repeats(Supplier<Optional<Trace>> original);

    /** The request under way has decided. */
    void decided(Approval approval, Decision decision);
}
