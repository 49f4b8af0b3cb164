package dev.nonbis.server.policy.cel;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.Explanation;
import dev.nonbis.core.policy.Explanation.DecidedBy;
import dev.nonbis.core.policy.Explanation.Found;
import dev.nonbis.core.policy.Explanation.Look;
import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.core.policy.PaymentRuling;
import dev.nonbis.core.policy.Policy;
import dev.nonbis.core.policy.Verdict;
import dev.nonbis.core.run.Budget;
import dev.nonbis.json.JsonObject;
import dev.nonbis.server.policy.cel.PolicyDocument.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Policies written in YAML with CEL conditions: the first rule that matches decides. A rule whose condition cannot be evaluated denies,
 * and none after it is looked at.
 */
public final class CelPolicy implements Policy {

    static final String POLICY_ERROR = "policy_error";
    static final String FREEZE_ALL = "emergency.freeze_all";

    private final Map<TenantId, PolicyDocument> byTenant;
    private final Optional<PolicyDocument> fallback;

    /** Tenants without a document of their own are ruled by the fallback; with none, they are denied everything. */
    public CelPolicy(Map<TenantId, PolicyDocument> byTenant, Optional<PolicyDocument> fallback) {
        this.byTenant = Map.copyOf(byTenant);
        this.fallback = fallback;
    }

    /** The tenants with a document of their own. */
    public Map<TenantId, PolicyDocument> byTenant() {
        return byTenant;
    }

    /** What rules over a tenant. */
    public Optional<PolicyDocument> of(TenantId tenant) {
        var own = byTenant.get(tenant);
        return own == null ? fallback : Optional.of(own);
    }

    @Override
    public boolean mayTakeLong(TenantId tenant) {
        return of(tenant).map(PolicyDocument::mayTakeLong).orElse(false);
    }

    @Override
    public Ruling job(TenantId tenant, JsonObject job) {
        return explain(tenant, job, new ArrayList<>()).ruling();
    }

    @Override
    public Explanation explainJob(TenantId tenant, JsonObject job) {
        var looks = new ArrayList<Look>();
        var decision = explain(tenant, job, looks);
        of(tenant).ifPresent(policy -> addNotReached(policy.jobs(), looks));
        return new Explanation(decision.ruling(), decision.by(), looks);
    }

    @Override
    public PaymentRuling payment(TenantId tenant, PaymentFacts payment) {
        var looked = of(tenant).map(policy -> new PaymentPolicy(policy.data(), payment));
        var decision = explain(of(tenant), looked, new ArrayList<>());
        return new PaymentRuling(
                decision.ruling(), looked.map(PaymentPolicy::caps).orElse(List.of()));
    }

    @Override
    public Explanation explainPayment(TenantId tenant, PaymentFacts payment) {
        var looks = new ArrayList<Look>();
        var looked = of(tenant).map(policy -> new PaymentPolicy(policy.data(), payment));
        var decision = explain(of(tenant), looked, looks);
        of(tenant).ifPresent(policy -> addNotReached(policy.payments(), looks));
        return new Explanation(decision.ruling(), decision.by(), looks);
    }

    @Override
    public boolean knowsAgent(TenantId tenant, String id) {
        return of(tenant)
                .map(policy -> policy.data().agents().stream()
                        .anyMatch(agent -> agent.id().equals(id)))
                .orElse(false);
    }

    @Override
    public List<BudgetCap> caps(TenantId tenant, String agent) {
        return of(tenant)
                .map(policy -> PaymentPolicy.caps(policy.data(), agent).toList())
                .orElse(List.of());
    }

    private static void addNotReached(Rules rules, List<Look> looks) {
        rules.rules().stream()
                .skip(looks.size())
                .forEach(rule -> looks.add(new Look(rule.id(), rule.when(), new Found.NotReached())));
    }

    private record Decision(Ruling ruling, DecidedBy by) {}

    private Decision explain(TenantId tenant, JsonObject job, List<Look> looks) {
        var policy = of(tenant);
        return stopped(policy)
                .orElseGet(() -> decide(
                        policy.orElseThrow().jobs(),
                        JsonObject.builder().put("job", job).build(),
                        looks,
                        policy.map(PolicyDocument::hash)));
    }

    private static Decision explain(
            Optional<PolicyDocument> policy, Optional<PaymentPolicy> payment, List<Look> looks) {
        var hash = policy.map(PolicyDocument::hash);
        return stopped(policy)
                .or(() -> payment.flatMap(PaymentPolicy::forbidden)
                        .map(code -> new Decision(
                                new Ruling(new Verdict.Deny(Optional.empty(), code), hash), DecidedBy.DATA)))
                .orElseGet(() -> decide(
                        policy.orElseThrow().payments(), payment.orElseThrow().scope(), looks, hash));
    }

    /** What holds whatever the rules say. */
    private static Optional<Decision> stopped(Optional<PolicyDocument> policy) {
        if (policy.isEmpty()) {
            return Optional.of(new Decision(
                    new Ruling(new Verdict.Deny(Optional.empty(), MISSING), Optional.empty()), DecidedBy.NO_POLICY));
        }
        var hash = policy.map(PolicyDocument::hash);
        return policy.get().data().emergency().freezeAll()
                ? Optional.of(new Decision(
                        new Ruling(new Verdict.Deny(Optional.empty(), FREEZE_ALL), hash), DecidedBy.EMERGENCY))
                : Optional.empty();
    }

    private static Decision decide(Rules rules, JsonObject scope, List<Look> looks, Optional<String> hash) {
        var budget = new Budget();
        for (var rule : rules.rules()) {
            var found = rule.look(scope, budget);
            looks.add(new Look(rule.id(), rule.when(), found));
            switch (found) {
                case Found.Matched matched -> {
                    return new Decision(new Ruling(rule.verdict(), hash), DecidedBy.RULE);
                }
                case Found.Failed failed -> {
                    var verdict = new Verdict.Deny(Optional.of(rule.id()), POLICY_ERROR);
                    return new Decision(new Ruling(verdict, hash), DecidedBy.ERROR);
                }
                case Found.NotMatched notMatched -> {}
                case Found.NotReached notReached ->
                    throw new IllegalStateException("a rule that was looked at was reached");
            }
        }
        return new Decision(new Ruling(rules.fallback(), hash), DecidedBy.DEFAULT);
    }
}
