package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Entries;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The writes of one commit as keys and arguments of the script. */
final class RedisWrites {

    private static final byte[] NOTHING = {};

    private final String realm;
    private final List<byte[]> rows = new ArrayList<>();
    private final List<byte[]> changes = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(String what, String order, String member) {}

    RedisWrites(String realm, List<Write> writes) {
        this.realm = realm;
        writes.forEach(this::add);
    }

    List<byte[]> keys() {
        var keys = new ArrayList<byte[]>();
        keys.add(RedisKeys.undo(realm));
        keys.add(RedisKeys.commit(realm));
        keys.addAll(rows);
        orders().keySet().forEach(order -> keys.add(RedisKeys.bytes(order)));
        return keys;
    }

    List<byte[]> arguments() {
        var arguments = new ArrayList<byte[]>();
        arguments.add(number(rows.size()));
        arguments.addAll(changes);
        var orders = orders();
        for (var entry : entries) {
            arguments.add(RedisKeys.bytes(entry.what));
            arguments.add(number(orders.getOrDefault(entry.order, 0)));
            arguments.add(RedisKeys.bytes(entry.member));
        }
        return arguments;
    }

    // Each with its place among the keys, which count from one and begin with two of our own.
    private Map<String, Integer> orders() {
        var orders = new LinkedHashMap<String, Integer>();
        for (var entry : entries) {
            orders.putIfAbsent(entry.order, 3 + rows.size() + orders.size());
        }
        return orders;
    }

    private void add(Write write) {
        var row = write.row();
        switch (write) {
            case Insert insert -> {
                change("insert", row, 0, insert.body());
                entries.add(new Entry("add", RedisKeys.order(realm, row.table()), row.key()));
                add("add", row, insert.added());
            }
            case Update update -> {
                change("update", row, update.readVersion(), update.body());
                add("remove", row, update.moved().removed());
                add("add", row, update.moved().added());
            }
            case Delete delete -> {
                change("delete", row, delete.readVersion(), NOTHING);
                entries.add(new Entry("remove", RedisKeys.order(realm, row.table()), row.key()));
                add("remove", row, delete.removed());
            }
            case Expect expect -> change("expect", row, expect.readVersion(), NOTHING);
        }
    }

    private void change(String what, RowRef<?, ?> row, long version, byte[] body) {
        rows.add(RedisKeys.bytes(RedisKeys.row(row)));
        changes.add(RedisKeys.bytes(what));
        changes.add(number(version));
        changes.add(body);
    }

    private void add(String what, RowRef<?, ?> row, Entries some) {
        var indexes = row.table().indexes();
        for (int i = 0; i < some.byIndex().size(); i++) {
            var index = indexes.get(i);
            var order = RedisKeys.order(realm, row.table(), index);
            for (var text : some.byIndex().get(i)) {
                if (RedisOwners.of(index, text)
                        .filter(owner -> !owner.equals(row.owner()))
                        .isPresent()) {
                    throw new IllegalStateException("an entry of " + row + " reads as if it were another owner's");
                }
                entries.add(new Entry(what, order, Range.position(text, row.key())));
            }
        }
    }

    private static byte[] number(long number) {
        return RedisKeys.bytes(Long.toString(number));
    }
}
