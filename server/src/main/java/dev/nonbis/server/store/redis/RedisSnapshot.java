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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One state for one reader, on a database that keeps only the present: each answer comes with what undoes the commits since the answer
 * before, and the reader undoes them for itself. On a cluster it is one state for each owner. Used by one thread.
 */
final class RedisSnapshot implements Snapshot {

    private final RedisConnections connections;
    private final RedisReach reach;
    private final RedisOwners owners;
    private final RedisPast past = new RedisPast();
    // The last commit of each realm that was asked.
    private final Map<String, byte[]> seen = new HashMap<>();
    private Optional<List<String>> realms = Optional.empty();

    RedisSnapshot(RedisConnections connections, RedisReach reach, RedisOwners owners) {
        this.connections = connections;
        this.reach = reach;
        this.owners = owners;
    }

    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        return rows(List.of(row), Integer.MAX_VALUE).getFirst();
    }

    @Override
    public List<Range.Hit<StoredRow>> scan(Range<?> range) {
        var positions = positions(range);
        var wanted = positions.stream()
                .map(position -> new RowRef<>(range.table(), Range.key(position)))
                .toList();
        var hits = new ArrayList<Range.Hit<StoredRow>>();
        long bytes = 0;
        int at = 0;
        // Rows that were longer or shorter in the state that this reader sees make the database stop too late or too
        // early.
        while (at < positions.size() && bytes < range.bytes()) {
            for (var row : rows(wanted.subList(at, wanted.size()), (int) (range.bytes() - bytes))) {
                if (bytes < range.bytes()) {
                    var position = positions.get(at++);
                    // A row that was damaged and then deleted may leave an entry behind that its damaged content did
                    // not name.
                    if (row.isPresent()) {
                        var hit = Range.Hit.of(position, row.get());
                        hits.add(hit);
                        bytes += hit.bytes();
                    }
                }
            }
        }
        return hits;
    }

    /** The first positions in the range, of all realms that may have some. */
    private List<String> positions(Range<?> range) {
        var places = realms(range).stream()
                .map(realm -> new Positions(realm, range))
                .filter(Positions::mayHold)
                .toList();
        for (var open = places; !open.isEmpty(); ) {
            var answers = ask(open.stream().map(Positions::question).toList());
            for (int i = 0; i < open.size(); i++) {
                open.get(i).take(answers.get(i));
            }
            open = open.stream().filter(place -> !place.isDone()).toList();
        }
        var found = places.stream().flatMap(place -> place.found().stream());
        return (places.size() < 2 ? found : found.sorted(direction(range)))
                .limit(range.limit())
                .toList();
    }

    private List<String> realms(Range<?> range) {
        var owner = RedisOwners.of(range);
        if (owner.isPresent()) {
            return List.of(reach.realm(owner.get()));
        }
        var all = realms.orElseGet(owners::realms);
        realms = Optional.of(all);
        return all;
    }

    private static Comparator<String> direction(Range<?> range) {
        return range.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
    }

    /**
     * Looks rows up.
     *
     * @param bytes each realm stops with the row that brings its rows to this many
     * @return those before the first that was not looked at; there is always one
     */
    private List<Optional<StoredRow>> rows(List<? extends RowRef<?, ?>> rows, int bytes) {
        if (rows.isEmpty()) {
            return List.of();
        }
        var byRealm = rows.stream()
                .distinct()
                .collect(Collectors.groupingBy(
                        row -> reach.realm(row.owner()), Collectors.mapping(RedisKeys::row, Collectors.toList())));
        var questions = byRealm.entrySet().stream()
                .map(some -> new Question(some.getKey(), some.getValue(), bytes, List.of()))
                .toList();
        var answers = ask(questions);
        var values = new HashMap<String, Optional<byte[]>>();
        for (int i = 0; i < questions.size(); i++) {
            var names = questions.get(i).keys();
            for (int j = 0; j < answers.get(i).size(); j++) {
                values.put(names.get(j), Optional.ofNullable((byte[])
                        answers.get(i).get(j)));
            }
        }
        return rows.stream()
                .takeWhile(row -> values.containsKey(RedisKeys.row(row)))
                .map(row -> asItWas(row, values))
                .toList();
    }

    private Optional<StoredRow> asItWas(RowRef<?, ?> row, Map<String, Optional<byte[]>> values) {
        var name = RedisKeys.row(row);
        return past.row(name)
                .or(() -> values.getOrDefault(name, Optional.empty()))
                .filter(value -> value.length > 0)
                .map(value -> RedisRow.decode(row.key(), value));
    }

    /**
     * What is asked of one realm: rows, or a range of one order.
     *
     * @param bytes how many bytes of rows end the answer
     * @param range the command, its bounds and its limit; empty for rows
     */
    private record Question(String realm, List<String> keys, int bytes, List<byte[]> range) {}

    /** Asks, and learns what undoes the commits since it asked last. No two questions are about one realm. */
    private List<List<?>> ask(List<Question> questions) {
        var answers = connections.ask(questions.stream().map(this::call).toList());
        var contents = new ArrayList<List<?>>();
        for (int i = 0; i < questions.size(); i++) {
            var answer = (List<?>) answers.get(i);
            if (!(answer.get(1) instanceof List<?> since)) {
                throw new StoreUnavailable(
                        Fate.DID_NOT_HAPPEN,
                        Cause.FAILED,
                        "a reader took so long that the state it began with is forgotten");
            }
            since.forEach(commit -> past.undo((byte[]) commit));
            seen.put(questions.get(i).realm(), (byte[]) answer.get(0));
            contents.add((List<?>) answer.get(2));
        }
        return contents;
    }

    private RedisCall call(Question question) {
        var names = new ArrayList<byte[]>();
        names.add(RedisKeys.undo(question.realm()));
        names.add(RedisKeys.commit(question.realm()));
        question.keys().forEach(key -> names.add(RedisKeys.bytes(key)));
        var arguments = new ArrayList<byte[]>();
        arguments.add(seen.getOrDefault(question.realm(), new byte[0]));
        arguments.add(RedisKeys.bytes(Integer.toString(question.bytes())));
        arguments.addAll(question.range());
        return RedisCall.of(RedisScript.READ, names, arguments);
    }

    /** The positions in a range that one realm has. */
    private final class Positions {

        private final String realm;
        private final Range<?> range;
        private final String order;
        private final String low;
        private final boolean lowInside;
        private final String high;
        private int wanted;
        private Optional<List<String>> found = Optional.empty();

        Positions(String realm, Range<?> range) {
            this.realm = realm;
            this.range = range;
            this.order = RedisKeys.order(realm, range);
            var after = range.after();
            boolean up = !range.descending();
            this.lowInside =
                    !up || after.filter(at -> at.compareTo(range.low()) >= 0).isEmpty();
            this.low = lowInside ? range.low() : after.orElseThrow();
            this.high = up
                    ? range.high()
                    : after.filter(at -> at.compareTo(range.high()) < 0).orElse(range.high());
            this.wanted = range.limit();
        }

        boolean mayHold() {
            return low.compareTo(high) < 0;
        }

        boolean isDone() {
            return found.isPresent();
        }

        List<String> found() {
            return found.orElse(List.of());
        }

        Question question() {
            var from = RedisKeys.bytes((lowInside ? "[" : "(") + low);
            var to = RedisKeys.bytes("(" + high);
            var limit = RedisKeys.bytes(Integer.toString(wanted));
            return new Question(
                    realm,
                    List.of(order),
                    Integer.MAX_VALUE,
                    range.descending()
                            ? List.of(RedisKeys.bytes("ZREVRANGEBYLEX"), to, from, limit)
                            : List.of(RedisKeys.bytes("ZRANGEBYLEX"), from, to, limit));
        }

        /** Takes an answer, which may not be enough once what has changed is undone. */
        void take(List<?> members) {
            var present = members.stream()
                    .map(member -> RedisKeys.text((byte[]) member))
                    .toList();
            boolean isWhole = present.size() < wanted;
            var then = asItWas(present, isWhole);
            if (isWhole || then.size() >= range.limit()) {
                found = Optional.of(then.stream().limit(range.limit()).toList());
            } else {
                wanted = (int) Math.min(
                        Integer.MAX_VALUE, 2L * wanted + past.members(order).size());
            }
        }

        // Behind the last one that is known, others may stand that are not, so what was there before is left for later.
        private List<String> asItWas(List<String> present, boolean isWhole) {
            var changed = past.members(order).subMap(low, lowInside, high, false);
            if (changed.isEmpty()) {
                return present;
            }
            var then = new TreeSet<>(direction(range));
            then.addAll(present);
            changed.forEach((member, wasThere) -> {
                if (wasThere && (isWhole || direction(range).compare(member, present.getLast()) < 0)) {
                    then.add(member);
                } else if (!wasThere) {
                    then.remove(member);
                }
            });
            return List.copyOf(then);
        }
    }
}
