package dev.nonbis.server.api;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.core.policy.PaymentRuling;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.json.JsonObject;
import java.util.List;

/** A policy that is replaced while the plane runs. */
final class SwitchedPolicy implements Policy {

    Policy now;

    SwitchedPolicy(Policy first) {
        now = first;
    }

    @Override
    public Ruling job(TenantId tenant, JsonObject job) {
        return now.job(tenant, job);
    }

    @Override
    public PaymentRuling payment(TenantId tenant, PaymentFacts payment) {
        return now.payment(tenant, payment);
    }

    @Override
    public boolean knowsAgent(TenantId tenant, String id) {
        return now.knowsAgent(tenant, id);
    }

    @Override
    public List<BudgetCap> caps(TenantId tenant, String agent) {
        return now.caps(tenant, agent);
    }
}
