package dev.nonbis.core.policy;

import dev.nonbis.core.policy.Policy.Ruling;
import java.util.List;

/**
 * A ruling on a payment and the caps that it must fit into besides. What was spent is not the policy's to know: whoever spends
 * checks the caps in the same step.
 */
public record PaymentRuling(Ruling ruling, List<BudgetCap> caps) {

    public PaymentRuling {
        caps = List.copyOf(caps);
    }
}
