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
import redis.clients.jedis.Protocol.Command;

/**
 * Rows in Redis, for any number of servers. A lost connection is replaced by the next call; a commit whose answer was lost is told as
 * unknown, and nothing else is.
 */
final class RedisBackend implements Backend {

    private final RedisConnections connections;
    private final RedisGuard guard;

    /** Takes the connections over and closes them with itself. */
    RedisBackend(RedisConnections connections, RedisGuard guard) {
        this.connections = connections;
        this.guard = guard;
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        if (rows.isEmpty()) {
            return found;
        }
        var names =
                rows.stream().map(row -> RedisKeys.bytes(RedisKeys.row(row))).toArray(byte[][]::new);
        var values = ((List<?>) connections.ask(Command.MGET, names)).iterator();
        for (var row : rows) {
            if (values.next() instanceof byte[] value) {
                found.put(row, RedisRow.decode(row.key(), value));
            }
        }
        return found;
    }

    @Override
    public void apply(List<Write> writes) {
        guard.check();
        var script = new RedisWrites(writes);
        var answer = (Long) connections.tell(RedisScript.APPLY, script.keys(), script.arguments());
        if (answer > 0) {
            throw new WriteConflict(
                    "not as expected: " + writes.get(answer.intValue() - 1).row());
        }
    }

    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        return Optional.ofNullable(fetch(List.of(row)).get(row));
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        connections.refuseIfClosed();
        return block.apply(new RedisSnapshot(connections));
    }

    @Override
    public void close() {
        connections.close();
    }
}
