package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What everything is called in Redis.
 *
 * <pre>
 *   nonbis:{acme}:jobs:job_01…         a row: its version, a space, its body
 *   nonbis:{acme}:idem:runs:KEY        an idempotency key: its version, a space, what it made, and the recorded answer
 *   nonbis:index:jobs                  the keys of a table in order
 *   nonbis:index:jobs:due              the entries of an index in order
 *   nonbis:commit, nonbis:undo         the last commit, and what undoes the commits of the last seconds
 *   nonbis:format                      the version of all this
 * </pre>
 */
final class RedisKeys {

    static final byte[] COMMIT = bytes("nonbis:commit");
    static final byte[] UNDO = bytes("nonbis:undo");
    static final byte[] FORMAT = bytes("nonbis:format");

    private static final String IDEMPOTENCY_KEYS = "keys";
    private static final Pattern OPERATION = Pattern.compile("^[a-z_-]+/");

    private RedisKeys() {}

    static String row(RowRef<?, ?> row) {
        var owner = row.owner();
        var name = new StringBuilder("nonbis:{").append(escaped(owner)).append("}:");
        boolean isKey = row.table().name().equals(IDEMPOTENCY_KEYS);
        name.append(isKey ? "idem" : row.table().name());
        if (row.key().length() > owner.length()) {
            var rest = row.key().substring(owner.length() + 1);
            name.append(':').append(isKey ? key(rest) : rest);
        }
        return name.toString();
    }

    static String order(Table<?, ?> table) {
        return "nonbis:index:" + table.name();
    }

    static String order(Table<?, ?> table, Index<?> index) {
        return order(table) + ":" + index.name();
    }

    static String order(Table<?, ?> table, Optional<? extends Index<?>> index) {
        return index.map(by -> order(table, by)).orElseGet(() -> order(table));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    // An operation is a plain word; what has none in front begins with a slash, so that no two keys read alike.
    private static String key(String rest) {
        return OPERATION.matcher(rest).find() ? rest.replaceFirst("/", ":") : "/" + rest;
    }

    // The braces are ours.
    private static String escaped(String owner) {
        return owner.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }
}
