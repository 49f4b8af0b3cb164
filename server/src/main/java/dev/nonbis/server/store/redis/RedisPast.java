package dev.nonbis.server.store.redis;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What has changed since a reader began, as it was then. */
final class RedisPast {

    private static final byte ROW = 'r';
    private static final byte ADDED = 'a';

    private final Map<String, byte[]> rows = new HashMap<>();
    private final Map<String, NavigableMap<String, Boolean>> orders = new HashMap<>();

    /** Adds what undoes one commit; commits come oldest first, so what is known already is older and stays. */
    void undo(byte[] commit) {
        var buffer = ByteBuffer.wrap(commit);
        while (buffer.hasRemaining()) {
            byte kind = buffer.get();
            var key = new byte[buffer.getInt()];
            var value = new byte[buffer.getInt()];
            buffer.get(key).get(value);
            if (kind == ROW) {
                rows.putIfAbsent(RedisKeys.text(key), value);
            } else {
                orders.computeIfAbsent(RedisKeys.text(key), order -> new TreeMap<>())
                        .putIfAbsent(RedisKeys.text(value), kind != ADDED);
            }
        }
    }

    /** The row's value as it was, empty if there was none; nothing when it has not changed. */
    Optional<byte[]> row(String row) {
        return Optional.ofNullable(rows.get(row));
    }

    /** The members of an index that came or went, and whether they were there. */
    NavigableMap<String, Boolean> members(String order) {
        return orders.getOrDefault(order, new TreeMap<>());
    }
}
