package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.StoredRow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A row as Redis keeps it: the version, a space, the body. */
final class RedisRow {

    private RedisRow() {}

    static StoredRow decode(String key, byte[] value) {
        int space = 0;
        while (space < value.length && value[space] != ' ') {
            space++;
        }
        if (space == 0 || space == value.length) {
            throw new IllegalStateException("a stored row has no version");
        }
        long version = Long.parseLong(new String(value, 0, space, StandardCharsets.US_ASCII));
        return new StoredRow(key, version, Arrays.copyOfRange(value, space + 1, value.length));
    }
}
