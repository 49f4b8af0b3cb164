package dev.nonbis.server.policy.cel;

import dev.nonbis.core.policy.BudgetCap;
import dev.nonbis.core.policy.PaymentFacts;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonValue.JsonNumber;
import dev.nonbis.server.policy.cel.PolicyDocument.Agent;
import dev.nonbis.server.policy.cel.PolicyDocument.Data;
import dev.nonbis.server.policy.cel.PolicyDocument.Recipient;
import java.math.BigDecimal;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One payment under one policy: what its data say before any rule is asked, and what the rules then see. */
final class PaymentPolicy {

    /** Steps up or aside, also written as codes: where they lead is for the provider's server to say, not for us to guess. */
    private static final Pattern LEADS_ELSEWHERE =
            Pattern.compile("(^|/)(\\.|%2e){1,2}(/|$)|//|%2f|%5c|%25", Pattern.CASE_INSENSITIVE);

    private final Data data;
    private final PaymentFacts payment;
    private final Optional<Agent> agent;
    private final Optional<PolicyDocument.Provider> provider;
    private final Optional<Recipient> recipient;

    PaymentPolicy(Data data, PaymentFacts payment) {
        this.data = data;
        this.payment = payment;
        this.agent = data.agents().stream()
                .filter(known -> known.id().equals(payment.agent()))
                .findFirst();
        this.provider = provider(data.providers(), payment.providerUrl());
        this.recipient = payment.recipient()
                .flatMap(address -> data.recipients().stream()
                        .filter(known -> known.address().equals(address.toLowerCase(Locale.ROOT))
                                && known.chain().equals(payment.chain()))
                        .findFirst());
    }

    /** Why no rule can allow this payment; empty when that is for the rules to say. */
    Optional<String> forbidden() {
        return agentCode().or(this::providerCode).or(this::recipientCode);
    }

    /** The caps that this payment counts against. */
    List<BudgetCap> caps() {
        return caps(data, payment.agent())
                .filter(cap -> cap.scope() != BudgetCap.Scope.PROVIDER
                        || cap.provider().equals(provider.map(PolicyDocument.Provider::id)))
                .toList();
    }

    static Stream<BudgetCap> caps(Data data, String agent) {
        return data.budgets().stream()
                .filter(budget -> budget.agent().equals(agent))
                .map(budget -> new BudgetCap(
                        switch (budget.scope()) {
                            case REQUEST -> BudgetCap.Scope.REQUEST;
                            case DAY -> BudgetCap.Scope.DAY;
                            case MONTH -> BudgetCap.Scope.MONTH;
                            case PROVIDER -> BudgetCap.Scope.PROVIDER;
                        },
                        budget.provider(),
                        budget.capUsd()));
    }

    /** The object whose members are the conditions' variables. */
    JsonObject scope() {
        var budget = JsonObject.builder();
        caps().forEach(cap -> budget.put(cap.scope().word(), new JsonNumber(notBelow(cap.capUsd()))));
        return JsonObject.builder()
                .put("payment", payment.envelope())
                .put("amount_usd", new JsonNumber(notBelow(payment.amountUsd())))
                .put(
                        "provider",
                        JsonObject.builder()
                                .putString("id", provider.map(PolicyDocument.Provider::id))
                                .put("url", payment.providerUrl())
                                .putString("status", provider.map(known -> Words.word(known.status())))
                                .build())
                .put(
                        "recipient",
                        JsonObject.builder()
                                .putString("address", payment.recipient().map(a -> a.toLowerCase(Locale.ROOT)))
                                .put("chain", payment.chain())
                                .put(
                                        "status",
                                        recipient
                                                .map(known -> Words.word(known.status()))
                                                .orElse("none"))
                                .build())
                .put(
                        "agent",
                        JsonObject.builder()
                                .put("id", payment.agent())
                                .putString("status", agent.map(known -> Words.word(known.status())))
                                .build())
                .put("budget", budget.build())
                .build();
    }

    /**
     * The double by which conditions know an amount: the smallest whose decimal form is not below it. So {@code <=} and {@code >} against
     * a number as people write them are exact for every amount, and no amount ever looks smaller than it is.
     */
    static double notBelow(BigDecimal amount) {
        double nearest = amount.doubleValue();
        return new BigDecimal(Double.toString(nearest)).compareTo(amount) < 0 ? Math.nextUp(nearest) : nearest;
    }

    private Optional<String> agentCode() {
        if (data.emergency().pausedAgents().contains(payment.agent())) {
            return Optional.of("emergency.agent_paused");
        }
        if (agent.isEmpty()) {
            return Optional.of("agent.unknown");
        }
        return switch (agent.get().status()) {
            case ACTIVE -> Optional.empty();
            case PAUSED -> Optional.of("agent.paused");
            case REVOKED -> Optional.of("agent.revoked");
        };
    }

    private Optional<String> providerCode() {
        if (provider.isEmpty()) {
            return Optional.of("provider.unknown");
        }
        return switch (provider.get().status()) {
            case TRUSTED, UNTRUSTED -> Optional.empty();
            case BLOCKED -> Optional.of("provider.blocked");
        };
    }

    // A request that names nobody's address is for the rules: who gets the money is then the provider's say.
    private Optional<String> recipientCode() {
        if (payment.recipient().isEmpty()) {
            return Optional.empty();
        }
        if (recipient.isEmpty()) {
            return Optional.of("recipient.not_allowed");
        }
        return switch (recipient.get().status()) {
            case ALLOWED -> Optional.empty();
            case BLOCKED -> Optional.of("recipient.blocked");
        };
    }

    /** The provider whose address the URL is at or below; the one with the longest path when several are. */
    private static Optional<PolicyDocument.Provider> provider(List<PolicyDocument.Provider> providers, String url) {
        URI wanted = URI.create(url);
        return providers.stream()
                .filter(known -> isWithin(wanted, known.url().normalize()))
                .max(Comparator.comparingInt(known -> path(known.url()).length()));
    }

    private static boolean isWithin(URI url, URI base) {
        boolean sameOrigin = base.getScheme().equalsIgnoreCase(url.getScheme())
                && base.getHost().equalsIgnoreCase(url.getHost())
                && port(base) == port(url)
                // Somebody else's name in front of the host is how a URL is made to look like another's.
                && url.getRawUserInfo() == null;
        String path = path(base);
        return sameOrigin && (path.equals("/") || isBelow(path(url), path));
    }

    private static boolean isBelow(String path, String base) {
        return (path.equals(base) || path.startsWith(base.endsWith("/") ? base : base + "/"))
                && !LEADS_ELSEWHERE.matcher(path).find();
    }

    private static String path(URI url) {
        String path = url.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    private static int port(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }
}
