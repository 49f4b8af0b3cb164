package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.WriteConflict;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import redis.clients.jedis.Protocol.Command;

/**
 * Rows in Redis, for any number of servers. A lost connection is replaced by the next call; a commit whose answer was lost is told as
 * unknown, and nothing else is.
 */
final class RedisBackend implements Backend {

    private final RedisConnections connections;
    private final RedisGuard guard;
    private final RedisReach reach;
    private final RedisOwners owners;

    /** Takes the connections over and closes them with itself. */
    RedisBackend(RedisConnections connections, RedisGuard guard, RedisReach reach) {
        this.connections = connections;
        this.guard = guard;
        this.reach = reach;
        this.owners = new RedisOwners(connections, guard, reach);
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        if (rows.isEmpty()) {
            return found;
        }
        var byRealm = rows.stream().collect(Collectors.groupingBy(row -> reach.realm(row.owner())));
        var groups = List.copyOf(byRealm.values());
        var answers = connections.ask(groups.stream()
                .map(some -> RedisCall.of(Command.MGET, names(some)))
                .toList());
        for (int i = 0; i < groups.size(); i++) {
            var values = ((List<?>) answers.get(i)).iterator();
            for (var row : groups.get(i)) {
                if (values.next() instanceof byte[] value) {
                    found.put(row, RedisRow.decode(row.key(), value));
                }
            }
        }
        return found;
    }

    @Override
    public void apply(List<Write> writes) {
        if (writes.isEmpty()) {
            return;
        }
        var realms =
                writes.stream().map(write -> reach.realm(write.row().owner())).collect(Collectors.toSet());
        if (realms.size() > 1) {
            throw new IllegalStateException("on a cluster no commit reaches two owners, and this one has " + realms);
        }
        owners.add(writes.getFirst().row().owner());
        var script = new RedisWrites(realms.iterator().next(), writes);
        var call = RedisCall.of(RedisScript.APPLY, script.keys(), script.arguments());
        var answer = (Long) connections.tell(call, guard::check);
        if (answer > 0) {
            throw new WriteConflict(
                    "not as expected: " + writes.get(answer.intValue() - 1).row());
        }
    }

    @Override
    public int ownersTogether() {
        return reach == RedisReach.EVERYTHING ? Backend.super.ownersTogether() : 1;
    }

    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        return Optional.ofNullable(fetch(List.of(row)).get(row));
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        connections.refuseIfClosed();
        return block.apply(new RedisSnapshot(connections, reach, owners));
    }

    private static List<byte[]> names(List<RowRef<?, ?>> rows) {
        return rows.stream().map(row -> RedisKeys.bytes(RedisKeys.row(row))).toList();
    }

    @Override
    public void close() {
        connections.close();
    }
}
