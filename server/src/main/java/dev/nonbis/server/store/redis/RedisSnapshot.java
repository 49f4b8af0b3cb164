package dev.nonbis.server.store.redis;

import dev.nonbis.core.store.Backend.Snapshot;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One state for one reader, on a database that keeps only the present: each answer comes with what undoes the commits since the answer
 * before, and the reader undoes them for itself. Used by one thread.
 */
final class RedisSnapshot implements Snapshot {

    private final RedisConnections connections;
    private final RedisPast past = new RedisPast();
    private byte[] seen = {};

    RedisSnapshot(RedisConnections connections) {
        this.connections = connections;
    }

    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        return rows(List.of(row)).getFirst();
    }

    @Override
    public List<Range.Hit<StoredRow>> scan(Range<?> range) {
        var positions = new Positions(range).find();
        var wanted = new ArrayList<RowRef<?, ?>>();
        for (var position : positions) {
            wanted.add(new RowRef<>(range.table(), new Range.Hit<>(position, "").key()));
        }
        var rows = rows(wanted);
        var hits = new ArrayList<Range.Hit<StoredRow>>();
        for (int i = 0; i < positions.size(); i++) {
            var position = positions.get(i);
            hits.add(new Range.Hit<>(
                    position,
                    rows.get(i)
                            .orElseThrow(() -> new IllegalStateException(
                                    "an index of " + range.table() + " names a row that is not there"))));
        }
        return hits;
    }

    private List<Optional<StoredRow>> rows(List<? extends RowRef<?, ?>> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        var names = rows.stream().map(RedisKeys::row).toList();
        var values = ask(names, List.of());
        var found = new ArrayList<Optional<StoredRow>>();
        for (int i = 0; i < names.size(); i++) {
            var now = Optional.ofNullable((byte[]) values.get(i));
            var key = rows.get(i).key();
            found.add(past.row(names.get(i))
                    .or(() -> now)
                    .filter(value -> value.length > 0)
                    .map(value -> RedisRow.decode(key, value)));
        }
        return found;
    }

    /** Asks, and learns what undoes the commits since it asked last. */
    private List<?> ask(List<String> keys, List<byte[]> range) {
        var names = new ArrayList<byte[]>();
        names.add(RedisKeys.UNDO);
        names.add(RedisKeys.COMMIT);
        keys.forEach(key -> names.add(RedisKeys.bytes(key)));
        var arguments = new ArrayList<byte[]>();
        arguments.add(seen);
        arguments.addAll(range);
        var answer = (List<?>) connections.ask(RedisScript.READ, names, arguments);
        if (!(answer.get(1) instanceof List<?> since)) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN,
                    Cause.FAILED,
                    "a reader took so long that the state it began with is forgotten");
        }
        since.forEach(commit -> past.undo((byte[]) commit));
        seen = (byte[]) answer.get(0);
        return (List<?>) answer.get(2);
    }

    /** The positions in a range. */
    private final class Positions {

        private final Range<?> range;
        private final String order;
        private final String low;
        private final boolean lowInside;
        private final String high;
        private final Comparator<String> direction;

        Positions(Range<?> range) {
            this.range = range;
            this.order = RedisKeys.order(range.table(), range.index());
            var after = range.after();
            boolean up = !range.descending();
            this.lowInside =
                    !up || after.filter(at -> at.compareTo(range.low()) >= 0).isEmpty();
            this.low = lowInside ? range.low() : after.orElseThrow();
            this.high = up
                    ? range.high()
                    : after.filter(at -> at.compareTo(range.high()) < 0).orElse(range.high());
            this.direction = up ? Comparator.naturalOrder() : Comparator.reverseOrder();
        }

        List<String> find() {
            if (low.compareTo(high) >= 0) {
                return List.of();
            }
            for (int wanted = range.limit(); ; wanted = larger(wanted)) {
                var present = ask(wanted);
                boolean isWhole = present.size() < wanted;
                var then = asItWas(present, isWhole);
                if (isWhole || then.size() >= range.limit()) {
                    return then.stream().limit(range.limit()).toList();
                }
            }
        }

        private int larger(int wanted) {
            return (int) Math.min(
                    Integer.MAX_VALUE, 2L * wanted + past.members(order).size());
        }

        private List<String> ask(int wanted) {
            var from = RedisKeys.bytes((lowInside ? "[" : "(") + low);
            var to = RedisKeys.bytes("(" + high);
            var limit = RedisKeys.bytes(Integer.toString(wanted));
            var members = RedisSnapshot.this.ask(
                    List.of(order),
                    range.descending()
                            ? List.of(RedisKeys.bytes("ZREVRANGEBYLEX"), to, from, limit)
                            : List.of(RedisKeys.bytes("ZRANGEBYLEX"), from, to, limit));
            return members.stream()
                    .map(member -> RedisKeys.text((byte[]) member))
                    .toList();
        }

        // Behind the last one that is known, others may stand that are not, so what was there before is left for later.
        private List<String> asItWas(List<String> present, boolean isWhole) {
            var changed = past.members(order).subMap(low, lowInside, high, false);
            if (changed.isEmpty()) {
                return present;
            }
            var then = new TreeSet<>(direction);
            then.addAll(present);
            changed.forEach((member, wasThere) -> {
                if (wasThere && (isWhole || direction.compare(member, present.getLast()) < 0)) {
                    then.add(member);
                } else if (!wasThere) {
                    then.remove(member);
                }
            });
            return List.copyOf(then);
        }
    }
}
