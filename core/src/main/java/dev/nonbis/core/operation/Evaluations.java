package dev.nonbis.core.operation;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.run.Workflow;
import java.util.function.Supplier;

/**
 * Decides where expressions are evaluated before a transaction: on the caller's thread when they are short, else in their tenant's queue,
 * so that no tenant takes the processor from the others.
 */
public final class Evaluations {

    private Evaluations() {}

    /** A ruling of the tenant's policy. */
    public static <T> T ruling(Ports ports, TenantId tenant, Supplier<T> ruling) {
        return ports.policy().mayTakeLong(tenant) ? ports.expressions().queued(tenant, ruling) : ruling.get();
    }

    /** What depends on the expressions of a workflow. */
    static <T> T plan(Ports ports, TenantId tenant, Workflow workflow, Supplier<T> plan) {
        return workflow.expressions().anyMatch(ports.expressions()::mayTakeLong)
                ? ports.expressions().queued(tenant, plan)
                : plan.get();
    }
}
