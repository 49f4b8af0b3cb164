package dev.nonbis.bench.judge;

import dev.nonbis.bench.judge.Export.OfTenant;
import dev.nonbis.bench.judge.Promises.Budget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * G9. Adds up what was approved for each budget's agent and window. A payment counts when one of its receipts allows it, on the day and in
 * the month that this receipt names; which provider it went to is told by the log.
 */
final class SpendingWithinBudget implements Checker {

    private record Account(String tenant, Budget budget, String window) {}

    @Override
    public List<Violation> check(History history, Export export, Promises promises) {
        var spent = new HashMap<Account, BigDecimal>();
        export.tenants().forEach((name, tenant) -> {
            var providers = providers(tenant);
            tenant.payments()
                    .forEach((id, payment) -> payment.path("receipts").forEach(receipt -> {
                        if (receipt.path("decision").asString("").equals("allow")) {
                            count(name, receipt, providers.getOrDefault(id, ""), promises, spent);
                        }
                    }));
        });
        var found = new ArrayList<Violation>();
        spent.forEach((account, amount) -> {
            if (amount.compareTo(account.budget().capUsd()) > 0) {
                found.add(new Violation(Guarantee.G9, account + " spent " + amount));
            }
        });
        return found;
    }

    private static Map<String, String> providers(OfTenant tenant) {
        var providers = new HashMap<String, String>();
        for (var event : tenant.audit()) {
            if (event.path("type").asString("").equals("payment.decided")) {
                providers.put(
                        event.path("subject").asString(""),
                        event.path("data").path("provider_url").asString(""));
            }
        }
        return providers;
    }

    private static void count(
            String tenant, JsonNode receipt, String provider, Promises promises, Map<Account, BigDecimal> spent) {
        var amount = new BigDecimal(receipt.path("amount").path("value").asString("0"));
        for (var budget : promises.budgets()) {
            if (budget.agent().equals(receipt.path("agent_id").asString(""))
                    && provider.startsWith(budget.providerUrl())) {
                spent.merge(new Account(tenant, budget, window(budget, receipt)), amount, BigDecimal::add);
            }
        }
    }

    private static String window(Budget budget, JsonNode receipt) {
        var at = receipt.path("decided_at").asString("");
        return switch (budget.scope()) {
            case REQUEST -> receipt.path("payment_id").asString("");
            case DAY -> at.substring(0, "2026-01-01".length());
            case MONTH -> at.substring(0, "2026-01".length());
            case PROVIDER -> "";
        };
    }
}
