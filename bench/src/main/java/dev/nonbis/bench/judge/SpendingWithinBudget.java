package dev.nonbis.bench.judge;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** G9. Adds up what was approved for each agent and day, the day being the one that the receipt names. */
final class SpendingWithinBudget implements Checker {

    private record Account(String tenant, String agent, String day) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var spent = new HashMap<Account, BigDecimal>();
        export.tenants()
                .forEach((name, tenant) -> tenant.payments().values().forEach(payment -> {
                    if (payment.path("decision").asString("").equals("allow")) {
                        var day = payment.path("decided_at").asString("").substring(0, "2026-01-01".length());
                        var account = new Account(name, payment.path("agent_id").asString(""), day);
                        var amount = new BigDecimal(
                                payment.path("amount").path("value").asString("0"));
                        spent.merge(account, amount, BigDecimal::add);
                    }
                }));
        var found = new ArrayList<Violation>();
        spent.forEach((account, amount) -> {
            var cap = promises.dayCapUsd().get(account.agent());
            if (cap != null && amount.compareTo(cap) > 0) {
                found.add(new Violation(Guarantee.G9, account + " spent " + amount + " of " + cap));
            }
        });
        return found;
    }
}
