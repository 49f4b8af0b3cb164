package dev.nonbis.server.policy.cel;

import dev.nonbis.server.policy.cel.PolicyDocument.Agent;
import dev.nonbis.server.policy.cel.PolicyDocument.Budget;
import dev.nonbis.server.policy.cel.PolicyDocument.Data;
import dev.nonbis.server.policy.cel.PolicyDocument.Emergency;
import dev.nonbis.server.policy.cel.PolicyDocument.Recipient;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads agents, providers, recipients, budgets and the emergency stop. Used for one document. */
final class DataReader {

    private static final Pattern AGENT = Pattern.compile("[a-z0-9][a-z0-9_-]{2,63}");
    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final Pattern ADDRESS = Pattern.compile("0x[a-fA-F0-9]{40}");
    private static final Pattern CHAIN = Pattern.compile("[a-z0-9][a-z0-9_-]{1,31}");
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,17})(\\.[0-9]{1,18})?");
    private static final int MAX_URL = 2_048;

    private final Set<String> agents = new HashSet<>();
    private final Set<String> providers = new HashSet<>();

    Data read(Map<String, YamlEntry> sections) {
        var knownAgents = list(sections.get("agents"), this::agent);
        var knownProviders = list(sections.get("providers"), this::provider);
        Set<String> seen = new HashSet<>();
        return new Data(
                knownAgents,
                knownProviders,
                list(sections.get("recipients"), item -> recipient(item, seen)),
                list(sections.get("budgets"), item -> budget(item, seen)),
                emergency(sections.get("emergency")));
    }

    private static <T> List<T> list(@Nullable YamlEntry entry, Function<YamlEntry, Optional<T>> reader) {
        var read = new ArrayList<T>();
        if (entry != null) {
            entry.items().forEach(item -> reader.apply(item).ifPresent(read::add));
        }
        return read;
    }

    private Optional<Agent> agent(YamlEntry item) {
        var members = item.group(List.of("id", "status"));
        var id = Words.required(item, members, "id")
                .flatMap(entry -> agentId(entry).filter(found -> once(entry, agents, found)));
        var status = Words.required(item, members, "status").flatMap(entry -> Words.oneOf(entry, Agent.Status.class));
        return both(id, status).map(ready -> new Agent(ready.first(), ready.second()));
    }

    private Optional<PolicyDocument.Provider> provider(YamlEntry item) {
        var members = item.group(List.of("id", "url", "status"));
        var id = Words.required(item, members, "id")
                .flatMap(entry -> providerId(entry).filter(found -> once(entry, providers, found)));
        var url = Words.required(item, members, "url").flatMap(DataReader::url);
        var status = Words.required(item, members, "status")
                .flatMap(entry -> Words.oneOf(entry, PolicyDocument.Provider.Status.class));
        return both(id, both(url, status))
                .map(ready -> new PolicyDocument.Provider(
                        ready.first(), ready.second().first(), ready.second().second()));
    }

    private static Optional<Recipient> recipient(YamlEntry item, Set<String> seen) {
        var members = item.group(List.of("address", "chain", "status"));
        var address = Words.required(item, members, "address")
                .flatMap(entry -> Words.matching(entry, ADDRESS, "must be 0x and 40 hex digits"))
                .map(text -> text.toLowerCase(Locale.ROOT));
        var chain = Words.required(item, members, "chain")
                .flatMap(entry -> Words.matching(entry, CHAIN, "must match " + CHAIN.pattern()));
        var status =
                Words.required(item, members, "status").flatMap(entry -> Words.oneOf(entry, Recipient.Status.class));
        return both(address, both(chain, status))
                .map(ready -> new Recipient(
                        ready.first(), ready.second().first(), ready.second().second()))
                .filter(found -> once(item, seen, "recipient " + found.address() + " " + found.chain()));
    }

    private Optional<Budget> budget(YamlEntry item, Set<String> seen) {
        var members = item.group(List.of("agent", "scope", "provider", "cap_usd"));
        var agent = Words.required(item, members, "agent")
                .flatMap(entry -> agentId(entry).filter(id -> known(entry, agents, id, "agents")));
        var scope = Words.required(item, members, "scope").flatMap(entry -> Words.oneOf(entry, Budget.Scope.class));
        var cap = Words.required(item, members, "cap_usd").flatMap(DataReader::amount);
        var provider = budgetProvider(item, members, scope);
        return both(agent, both(scope, cap))
                .map(ready -> new Budget(
                        ready.first(),
                        ready.second().first(),
                        provider,
                        ready.second().second()))
                .filter(found -> once(
                        item,
                        seen,
                        "budget " + found.agent() + " " + found.scope() + " "
                                + found.provider().orElse("")));
    }

    private Optional<String> budgetProvider(
            YamlEntry item, Map<String, YamlEntry> members, Optional<Budget.Scope> scope) {
        var entry = members.get("provider");
        if (scope.isPresent() && scope.get() != Budget.Scope.PROVIDER) {
            if (entry != null) {
                entry.complain("goes with scope provider only");
            }
            return Optional.empty();
        }
        if (scope.isEmpty() && entry == null) {
            return Optional.empty();
        }
        return Words.required(item, members, "provider")
                .flatMap(found -> providerId(found).filter(id -> known(found, providers, id, "providers")));
    }

    private Emergency emergency(@Nullable YamlEntry entry) {
        if (entry == null) {
            return new Emergency(false, Set.of());
        }
        var members = entry.group(List.of("freeze_all", "paused_agents"));
        var freeze = Optional.ofNullable(members.get("freeze_all")).flatMap(Words::bool);
        // Agents that are not listed may be stopped too: a stop must not fail for the want of an entry elsewhere.
        var paused = list(members.get("paused_agents"), DataReader::agentId);
        return new Emergency(freeze.orElse(false), new HashSet<>(paused));
    }

    private static Optional<String> agentId(YamlEntry entry) {
        return Words.matching(entry, AGENT, "must match " + AGENT.pattern());
    }

    private static Optional<String> providerId(YamlEntry entry) {
        return Words.matching(entry, PROVIDER, "must match " + PROVIDER.pattern());
    }

    private static Optional<URI> url(YamlEntry entry) {
        return entry.text().flatMap(text -> {
            try {
                var url = new URI(text);
                if (text.length() <= MAX_URL && "https".equals(url.getScheme()) && url.getHost() != null) {
                    return Optional.of(url);
                }
            } catch (URISyntaxException e) {
                // Answered like a URL of another kind: the same sentence helps in both cases.
            }
            entry.complain("must be an https URL of at most " + MAX_URL + " characters");
            return Optional.empty();
        });
    }

    private static Optional<BigDecimal> amount(YamlEntry entry) {
        return Words.matching(
                        entry,
                        AMOUNT,
                        "must be an amount such as \"5.00\": digits, and up to 18 of them after the point")
                .map(BigDecimal::new);
    }

    private static boolean once(YamlEntry entry, Set<String> seen, String what) {
        if (seen.add(what)) {
            return true;
        }
        entry.complain("is there twice");
        return false;
    }

    private static boolean known(YamlEntry entry, Set<String> ids, String id, String section) {
        if (ids.contains(id)) {
            return true;
        }
        entry.complain("\"" + id + "\" is not one of " + section);
        return false;
    }

    private record Both<A, B>(A first, B second) {}

    private static <A, B> Optional<Both<A, B>> both(Optional<A> first, Optional<B> second) {
        return first.isPresent() && second.isPresent()
                ? Optional.of(new Both<>(first.get(), second.get()))
                : Optional.empty();
    }
}
