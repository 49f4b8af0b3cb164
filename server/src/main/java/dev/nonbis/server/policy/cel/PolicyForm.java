package dev.nonbis.server.policy.cel;

import dev.nonbis.core.policy.Verdict;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import dev.nonbis.server.policy.cel.PolicyDocument.Data;
import dev.nonbis.server.policy.cel.PolicyDocument.Rules;
import java.util.List;
import java.util.function.Function;

/** A policy as JSON with everything said, defaults too, so that two files that mean the same have the same hash. */
final class PolicyForm {

    private PolicyForm() {}

    static JsonObject of(Rules jobs, Rules payments, Data data) {
        return JsonObject.builder()
                .put("jobs", rules(jobs))
                .put("payments", rules(payments))
                .put(
                        "agents",
                        array(
                                data.agents(),
                                agent -> JsonObject.builder()
                                        .put("id", agent.id())
                                        .put("status", Words.word(agent.status()))
                                        .build()))
                .put(
                        "providers",
                        array(
                                data.providers(),
                                provider -> JsonObject.builder()
                                        .put("id", provider.id())
                                        .put("url", provider.url().toString())
                                        .put("status", Words.word(provider.status()))
                                        .build()))
                .put(
                        "recipients",
                        array(
                                data.recipients(),
                                recipient -> JsonObject.builder()
                                        .put("address", recipient.address())
                                        .put("chain", recipient.chain())
                                        .put("status", Words.word(recipient.status()))
                                        .build()))
                .put(
                        "budgets",
                        array(
                                data.budgets(),
                                budget -> JsonObject.builder()
                                        .put("agent", budget.agent())
                                        .put("scope", Words.word(budget.scope()))
                                        .putString("provider", budget.provider())
                                        .put(
                                                "cap_usd",
                                                budget.capUsd()
                                                        .stripTrailingZeros()
                                                        .toPlainString())
                                        .build()))
                .put(
                        "emergency",
                        JsonObject.builder()
                                .put("freeze_all", data.emergency().freezeAll())
                                .put(
                                        "paused_agents",
                                        JsonArray.ofStrings(data.emergency().pausedAgents().stream()
                                                .sorted()
                                                .toList()))
                                .build())
                .build();
    }

    private static JsonObject rules(Rules rules) {
        return JsonObject.builder()
                .put("default", verdict(JsonObject.builder(), rules.fallback()).build())
                .put(
                        "rules",
                        array(
                                rules.rules(),
                                rule -> verdict(
                                                JsonObject.builder()
                                                        .put("id", rule.id())
                                                        .put("when", rule.when()),
                                                rule.verdict())
                                        .build()))
                .build();
    }

    private static JsonObject.Builder verdict(JsonObject.Builder json, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow allow -> json.put("verdict", "allow");
            case Verdict.Deny deny -> json.put("verdict", "deny").put("deny_code", deny.code());
            case Verdict.RequireApproval approval -> json.put("verdict", "require_approval");
            case Verdict.Throttle throttle ->
                json.put("verdict", "throttle")
                        .put("retry_after_ms", throttle.delay().toMillis());
        };
    }

    private static <T> JsonArray array(List<T> items, Function<T, JsonValue> form) {
        return new JsonArray(items.stream().map(form).toList());
    }
}
