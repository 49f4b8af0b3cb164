package dev.nonbis.server.http.jetty;

import dev.nonbis.core.identity.TenantId;
import dev.nonbis.core.problem.Problem;
import dev.nonbis.core.problem.ProblemCode;
import dev.nonbis.server.http.Refusal;
import dev.nonbis.server.http.jetty.HttpLimits.ConnectionLimits;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All connections of a listener. A connection is unknown until a request on it is authenticated. A new connection is let in before it is
 * known who comes, and an older one gives way where there are too many. Of an address that has too many unknown ones it is one that had time
 * to send a request and did not; many clients that come at once from one address do each other no harm. When there is no place at all, it
 * is the oldest unknown one of the address that has most, or an idle one of the tenant that has most. So sockets without a credential
 * cannot keep out a caller that has one.
 */
final class Clients {

    private final ConnectionLimits limits;
    private final boolean tls;
    private final Set<Client> all = new LinkedHashSet<>();
    private final Map<InetAddress, Set<Client>> unknownByAddress = new HashMap<>();
    private final Map<TenantId, Integer> byTenant = new HashMap<>();

    Clients(ConnectionLimits limits, boolean tls) {
        this.limits = limits;
        this.tls = tls;
    }

    boolean tls() {
        return tls;
    }

    synchronized int size() {
        return all.size();
    }

    synchronized List<Client> all() {
        return List.copyOf(all);
    }

    /** A connection was accepted; whether there is a place for it. */
    synchronized boolean opened(Client client) {
        if (all.size() >= limits.max() && !giveWay()) {
            return false;
        }
        var neighbours = unknownByAddress.getOrDefault(client.address(), Set.of());
        if (neighbours.size() >= limits.maxUnknownPerAddress()
                && !limits.trusted().test(client.address())) {
            cutFirst(neighbours, neighbour -> neighbour.isOlderThan(limits.grace()));
        }
        unknownByAddress
                .computeIfAbsent(client.address(), address -> new LinkedHashSet<>())
                .add(client);
        all.add(client);
        return true;
    }

    /** Ends the connection that is missed least; whether there was one. */
    synchronized boolean giveWay() {
        var crowd = unknownByAddress.values().stream().max(Comparator.comparingInt(Set::size));
        if (crowd.isPresent()) {
            cutOldest(crowd.get());
            return true;
        }
        return byTenant.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> cutFirst(all, client -> most.getKey().equals(client.tenant())))
                .orElse(false);
    }

    private void cutOldest(Collection<Client> candidates) {
        if (!cutFirst(candidates, client -> true)) {
            var oldest = candidates.iterator().next();
            forget(oldest);
            oldest.close();
        }
    }

    private boolean cutFirst(Collection<Client> candidates, Predicate<Client> wanted) {
        for (var candidate : candidates) {
            if (wanted.test(candidate) && candidate.cutUnlessBusy()) {
                forget(candidate);
                return true;
            }
        }
        return false;
    }

    /**
     * A request of this tenant was authenticated on the connection.
     *
     * @throws Refusal when the tenant has as many busy connections as are left to others
     */
    void authenticated(Client client, TenantId tenant) {
        if (!tenant.equals(client.tenant())) {
            place(client, tenant);
        }
    }

    private synchronized void place(Client client, TenantId tenant) {
        int known = byTenant.values().stream().mapToInt(count -> count).sum();
        boolean full = byTenant.getOrDefault(tenant, 0) >= limits.max() - known;
        if (full && !cutFirst(all, other -> tenant.equals(other.tenant()))) {
            throw new Refusal(Problem.of(ProblemCode.OVERLOADED, "The tenant has too many open connections.")
                    .after(Duration.ofSeconds(1)));
        }
        if (all.contains(client)) {
            forgetUnknown(client);
            forgetTenant(client);
            client.tenant(tenant);
            byTenant.merge(tenant, 1, Integer::sum);
        }
    }

    synchronized void closed(Client client) {
        forget(client);
    }

    private void forget(Client client) {
        if (all.remove(client)) {
            forgetUnknown(client);
            forgetTenant(client);
        }
    }

    private void forgetUnknown(Client client) {
        unknownByAddress.computeIfPresent(client.address(), (address, neighbours) -> {
            neighbours.remove(client);
            return neighbours.isEmpty() ? null : neighbours;
        });
    }

    private void forgetTenant(Client client) {
        var tenant = client.tenant();
        if (tenant != null) {
            byTenant.merge(tenant, -1, Integer::sum);
            byTenant.remove(tenant, 0);
        }
    }
}
