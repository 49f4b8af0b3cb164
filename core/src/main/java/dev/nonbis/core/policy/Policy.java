package dev.nonbis.core.policy;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.json.JsonObject;
import java.util.Optional;

/** Decides what may happen. Pure and bounded: the same request under the same policy gets the same verdict. */
public interface Policy {

    /** Lets every job through and has no name. */
    Policy ALLOW_ALL = (tenant, job) -> new Ruling(new Verdict.Allow(Optional.empty()), Optional.empty());

    /** Rules on one job or one step of a run, given as the object that conditions see. */
    Ruling job(TenantId tenant, JsonObject job);

    /** Rules like {@link #job} and says how; changes nothing. */
    default Explanation explainJob(TenantId tenant, JsonObject job) {
        return Explanation.unexplained(job(tenant, job));
    }

    /**
     * A verdict and the policy that gave it.
     *
     * @param policyHash the digest of the policy's canonical form; empty when no policy is configured
     */
    record Ruling(Verdict verdict, Optional<String> policyHash) {}
}
