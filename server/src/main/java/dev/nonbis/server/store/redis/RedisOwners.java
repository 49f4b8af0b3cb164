package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.DueEntries;
import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.Tables;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.Protocol.Command;

/**
 * Who has rows. On a cluster each owner's rows and orders are apart, so whoever looks for rows of all owners must know whom to ask. An
 * owner is written down before its first row is, and never forgotten.
 */
final class RedisOwners {

    private static final Set<Index<?>> BY_OWNER = Set.of(
            Tables.JOBS_BY_STATE,
            Tables.JOBS_BY_TOPIC,
            Tables.JOBS_BY_LABEL,
            Tables.RUNS_BY_STATE,
            Tables.RUNS_BY_WORKFLOW,
            Tables.PAYMENTS_BY_STATUS,
            Tables.PAYMENTS_BY_AGENT,
            Tables.APPROVALS_BY_STATUS,
            Tables.MESSAGES_BY_VISIBLE);

    private final RedisConnections connections;
    private final RedisGuard guard;
    private final RedisReach reach;
    // Those who are known to be written down, and how many connections had been lost when they were.
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    RedisOwners(RedisConnections connections, RedisGuard guard, RedisReach reach) {
        this.connections = connections;
        this.guard = guard;
        this.reach = reach;
    }

    /** Called before an owner's rows are written. */
    void add(String owner) {
        int losses = connections.losses();
        if (reach == RedisReach.EVERYTHING || Integer.valueOf(losses).equals(known.get(owner))) {
            return;
        }
        connections.tell(RedisCall.of(Command.SADD, List.of(RedisKeys.OWNERS, RedisKeys.bytes(owner))), guard::check);
        known.put(owner, losses);
    }

    /** The realms of all that have rows. */
    List<String> realms() {
        if (reach == RedisReach.EVERYTHING) {
            return List.of(reach.realm(""));
        }
        var owners = (Collection<?>) connections.ask(RedisCall.of(Command.SMEMBERS, List.of(RedisKeys.OWNERS)));
        return owners.stream()
                .map(owner -> reach.realm(RedisKeys.text((byte[]) owner)))
                .toList();
    }

    /** Whose rows all that is in the range are, if that can be told by how its texts begin. */
    static Optional<String> of(Range<?> range) {
        return range.index()
                .map(index -> of(index, range.low())
                        .filter(owner -> of(index, range.high()).equals(Optional.of(owner))))
                .orElseGet(() -> beginning(range.low())
                        .filter(owner -> beginning(range.high()).equals(Optional.of(owner))));
    }

    /** Whose row stands under this text, if that can be told. */
    static Optional<String> of(Index<?> index, String text) {
        if (BY_OWNER.contains(index)) {
            return beginning(text);
        }
        if (index.equals(Tables.JOBS_BY_DUE) && text.startsWith(DueEntries.READY)) {
            return beginning(text.substring(DueEntries.READY.length()));
        }
        return Optional.empty();
    }

    private static Optional<String> beginning(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(text.substring(0, slash));
    }
}
