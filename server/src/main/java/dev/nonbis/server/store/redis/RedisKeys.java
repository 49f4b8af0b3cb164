package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What everything is called in Redis.
 *
 * <pre>
 *   nonbis:{acme}:jobs:job_01…         a row: its version, a space, its body
 *   nonbis:{acme}:idem:runs:KEY        an idempotency key: its version, a space, what it made, and the recorded answer
 *   REALM:index:jobs                   the keys of a table in order
 *   REALM:index:jobs:due               the entries of an index in order
 *   REALM:commit, REALM:undo           the last commit, and what undoes the commits of the last seconds
 *   nonbis:owners                      on a cluster, who has rows
 *   nonbis:format                      the version of all this
 * </pre>
 *
 * A realm is {@code nonbis} on a single server and {@code nonbis:{acme}} on a cluster, see {@link RedisReach}.
 */
final class RedisKeys {

    static final byte[] OWNERS = bytes("nonbis:owners");
    static final byte[] FORMAT = bytes("nonbis:format");

    private static final String IDEMPOTENCY_KEYS = "keys";
    private static final Pattern OPERATION = Pattern.compile("^[a-z_-]+/");

    private RedisKeys() {}

    static String row(RowRef<?, ?> row) {
        var owner = row.owner();
        var name = new StringBuilder(tagged(owner)).append(':');
        boolean isKey = row.table().name().equals(IDEMPOTENCY_KEYS);
        name.append(isKey ? "idem" : row.table().name());
        if (row.key().length() > owner.length()) {
            var rest = row.key().substring(owner.length() + 1);
            name.append(':').append(isKey ? key(rest) : rest);
        }
        return name.toString();
    }

    /** What the names of all that is an owner's begin with; on a cluster, the braces keep it together. */
    static String tagged(String owner) {
        return "nonbis:{" + escaped(owner) + "}";
    }

    static byte[] commit(String realm) {
        return bytes(realm + ":commit");
    }

    static byte[] undo(String realm) {
        return bytes(realm + ":undo");
    }

    static String order(String realm, Table<?, ?> table) {
        return realm + ":index:" + table.name();
    }

    static String order(String realm, Table<?, ?> table, Index<?> index) {
        return order(realm, table) + ":" + index.name();
    }

    static String order(String realm, Range<?> range) {
        return range.index().map(by -> order(realm, range.table(), by)).orElseGet(() -> order(realm, range.table()));
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

    // The braces are ours. Between them there must be something, or Redis would go by the whole name.
    private static String escaped(String owner) {
        return owner.isEmpty()
                ? "%"
                : owner.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }
}
