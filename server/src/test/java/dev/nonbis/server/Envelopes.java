package dev.nonbis.server;

import dev.nonbis.core.identity.Timestamps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Envelopes of payment requests, built from a valid one by changing some of its members, each given as JSON text. */
public final class Envelopes {

    private static long made;

    private final Map<String, String> members;

    private Envelopes(Map<String, String> members) {
        this.members = members;
    }

    /** A valid envelope with a nonce of its own. */
    public static Envelopes valid(Instant expiry) {
        var members = new LinkedHashMap<String, String>();
        members.put("agent_id", "\"research-agent-01\"");
        members.put("task_id", "\"task-1\"");
        members.put("intent", "\"purchase_api_call\"");
        members.put("amount", "{\"value\":\"0.05\",\"currency\":\"USD\"}");
        members.put("token", "\"USDC\"");
        members.put(
                "destination",
                "{\"type\":\"x402_endpoint\",\"url\":\"https://api.example.com/v1/infer\",\"method\":\"POST\"}");
        members.put("payment_protocol", "\"x402\"");
        members.put("chain", "\"base\"");
        members.put("provider_url", "\"https://api.example.com/v1\"");
        members.put("expiry", "\"" + Timestamps.format(expiry) + "\"");
        members.put("nonce", "\"" + nextNonce() + "\"");
        members.put("risk_class", "\"low\"");
        return new Envelopes(members);
    }

    private static synchronized String nextNonce() {
        made++;
        return "01HZRG3MW7" + "%016d".formatted(made);
    }

    public Envelopes with(String name, String json) {
        var changed = new LinkedHashMap<>(members);
        changed.put(name, json);
        return new Envelopes(changed);
    }

    public Envelopes without(String name) {
        var changed = new LinkedHashMap<>(members);
        changed.remove(name);
        return new Envelopes(changed);
    }

    public Envelopes amount(String value) {
        return with("amount", "{\"value\":\"" + value + "\",\"currency\":\"USD\"}");
    }

    public Envelopes freshNonce() {
        return with("nonce", "\"" + nextNonce() + "\"");
    }

    public String json() {
        return members.entrySet().stream()
                .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
