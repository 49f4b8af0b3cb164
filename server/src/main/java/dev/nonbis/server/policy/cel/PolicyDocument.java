package dev.nonbis.server.policy.cel;

import dev.nonbis.core.policy.Verdict;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One policy file, checked and compiled.
 *
 * @param hash lowercase hex SHA-256 of the canonical JSON form of what the file says
 */
public record PolicyDocument(Rules jobs, Rules payments, Data data, String hash) {

    /** Rules in order, and the verdict when none of them matches. */
    public record Rules(List<Rule> rules, Verdict fallback) {
        public Rules {
            rules = List.copyOf(rules);
        }
    }

    /** Whether a condition has loops or regular expressions. */
    boolean mayTakeLong() {
        return Stream.concat(jobs.rules().stream(), payments.rules().stream()).anyMatch(Rule::mayTakeLong);
    }

    /** What the rules on payments look things up in, and the emergency stop. */
    public record Data(
            List<Agent> agents,
            List<Provider> providers,
            List<Recipient> recipients,
            List<Budget> budgets,
            Emergency emergency) {
        public Data {
            agents = List.copyOf(agents);
            providers = List.copyOf(providers);
            recipients = List.copyOf(recipients);
            budgets = List.copyOf(budgets);
        }
    }

    /** Who may ask for payments. */
    public record Agent(String id, Agent.Status status) {
        public enum Status {
            ACTIVE,
            PAUSED,
            REVOKED
        }
    }

    /** Whom a payment buys from. */
    public record Provider(String id, URI url, Provider.Status status) {
        public enum Status {
            TRUSTED,
            UNTRUSTED,
            BLOCKED
        }
    }

    /** Where money may go. The address is lowercase: its letters' case carries no meaning. */
    public record Recipient(String address, String chain, Recipient.Status status) {
        public enum Status {
            ALLOWED,
            BLOCKED
        }
    }

    /**
     * How much an agent may spend.
     *
     * @param provider the provider that the cap is for; there exactly when the scope is {@link Scope#PROVIDER}
     */
    public record Budget(String agent, Scope scope, Optional<String> provider, BigDecimal capUsd) {
        public enum Scope {
            REQUEST,
            DAY,
            MONTH,
            PROVIDER
        }
    }

    /** What stops everything, or some agents, at once. */
    public record Emergency(boolean freezeAll, Set<String> pausedAgents) {
        public Emergency {
            pausedAgents = Set.copyOf(pausedAgents);
        }
    }
}
