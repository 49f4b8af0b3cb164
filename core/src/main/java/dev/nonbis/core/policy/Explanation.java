package dev.nonbis.core.policy;

import dev.nonbis.core.policy.Policy.Ruling;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue;
import java.util.List;

/** A ruling and how it came about. */
public record Explanation(Ruling ruling, DecidedBy decidedBy, List<Look> rules) {

    public Explanation {
        rules = List.copyOf(rules);
    }

    /** What settled it. */
    public enum DecidedBy {
        RULE("rule"),
        DEFAULT("default"),
        /** A rule's condition could not be evaluated. */
        ERROR("error"),
        EMERGENCY("emergency"),
        /** What the policy says of the agent, the provider or the recipient, before any rule. */
        DATA("data"),
        /** Nothing is configured that could say something about this tenant. */
        NO_POLICY("no_policy");

        private final String word;

        DecidedBy(String word) {
            this.word = word;
        }
    }

    /** One rule, in the order of the policy, and what came of its condition. */
    public record Look(String rule, String condition, Found found) {}

    /** What came of a condition. */
    public sealed interface Found {

        record Matched() implements Found {}

        record NotMatched() implements Found {}

        record Failed(String why) implements Found {}

        /** An earlier rule had decided. */
        record NotReached() implements Found {}
    }

    public JsonObject toJson() {
        var json = JsonObject.builder();
        switch (ruling.verdict()) {
            case Verdict.Allow allow -> json.put("verdict", "allow");
            case Verdict.Deny deny -> json.put("verdict", "deny").put("deny_code", deny.code());
            case Verdict.RequireApproval approval -> json.put("verdict", "require_approval");
            case Verdict.Throttle throttle ->
                json.put("verdict", "throttle")
                        .put("retry_after_ms", throttle.delay().toMillis());
        }
        return json.put("decided_by", decidedBy.word)
                .putString("matched_rule_id", ruling.verdict().rule())
                .putString("policy_hash", ruling.policyHash())
                .put(
                        "rules",
                        new JsonArray(rules.stream().map(Explanation::json).toList()))
                .build();
    }

    private static JsonValue json(Look look) {
        var json = JsonObject.builder().put("id", look.rule()).put("when", look.condition());
        return switch (look.found()) {
            case Found.Matched matched -> json.put("outcome", "matched").build();
            case Found.NotMatched notMatched ->
                json.put("outcome", "not_matched").build();
            case Found.Failed(var why) ->
                json.put("outcome", "error").put("error", why).build();
            case Found.NotReached notReached ->
                json.put("outcome", "not_reached").build();
        };
    }

    static Explanation unexplained(Ruling ruling) {
        return new Explanation(
                ruling,
                ruling.verdict().rule().isPresent()
                        ? DecidedBy.RULE
                        : ruling.policyHash().isPresent() ? DecidedBy.DEFAULT : DecidedBy.NO_POLICY,
                List.of());
    }
}
