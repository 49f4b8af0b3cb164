package dev.nonbis.core.policy;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** Decides what may happen. Pure and bounded: the same request under the same policy gets the same verdict. */
public interface Policy {

    /** What a payment is denied with where nobody has written down which payments may be made. */
    String MISSING = "policy.missing";

    /** Lets every job through and no payment, and has no name. */
    Policy ALLOW_ALL = (tenant, job) -> new Ruling(new Verdict.Allow(Optional.empty()), Optional.empty());

    /** Rules on one job or one step of a run, given as the object that conditions see. */
    Ruling job(TenantId tenant, JsonObject job);

    /** Whether a ruling for the tenant can take more than some microseconds, because a condition has loops or regular expressions. */
    default boolean mayTakeLong(TenantId tenant) {
        return false;
    }

    /** Rules like {@link #job} and says how; changes nothing. */
    default Explanation explainJob(TenantId tenant, JsonObject job) {
        return Explanation.unexplained(job(tenant, job));
    }

    /** Rules on one payment. Money never moves for want of a rule: without a policy it is denied. */
    default PaymentRuling payment(TenantId tenant, PaymentFacts payment) {
        return new PaymentRuling(new Ruling(new Verdict.Deny(Optional.empty(), MISSING), Optional.empty()), List.of());
    }

    /** Rules like {@link #payment} and says how; changes nothing and looks at no budget. */
    default Explanation explainPayment(TenantId tenant, PaymentFacts payment) {
        return Explanation.unexplained(payment(tenant, payment).ruling());
    }

    /** Whether the policy lists an agent of this name, whatever its status. */
    default boolean knowsAgent(TenantId tenant, String id) {
        return false;
    }

    /** Every cap on what an agent spends. */
    default List<BudgetCap> caps(TenantId tenant, String agent) {
        return List.of();
    }

    /**
     * A verdict and the policy that gave it.
     *
     * @param policyHash the digest of the policy's canonical form; empty when no policy is configured
     */
    record Ruling(Verdict verdict, Optional<String> policyHash) {}
}
