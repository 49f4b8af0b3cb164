package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Tables;
import dev.nonbis.core.store.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Knows of most new rows that they are new without looking for them on the disk: idempotency keys by a filter, other rows because
 * most names sort behind those that their owner had before.
 */
final class Absence {

    private static final String FILTERED = Tables.KEYS.name();
    private static final int PAGE = 500;
    private static final int MOST_OWNERS = 256;
    // More than are ever on their way at once: names are drawn before they are written, and not written in that order.
    private static final int MOST_NAMES_OF_ONE = 8192;
    private static final int MOST_NAMES = 65_536;
    private static final Names NOBODY = new Names(new Place(Tables.KEYS, ""), "");

    private final SqlBackend database;
    private final Ahead ahead;
    private final Presence filter = new Presence();
    private final Map<Place, Names> places = new HashMap<>();
    // Rows come sorted, so that the next is most often of the same place.
    private Names last = NOBODY;
    private int noted;

    /** The rows of one owner in one table. */
    private record Place(Table<?, ?> table, String owner) {

        boolean isOf(RowRef<?, ?> row) {
            return table.equals(row.table())
                    && row.key().startsWith(owner)
                    && (row.key().length() == owner.length() || row.key().charAt(owner.length()) == '/');
        }
    }

    Absence(SqlBackend database, Ahead ahead) {
        this.database = database;
        this.ahead = ahead;
    }

    /** Reads which keys there are; until then nothing is sure of them. Ends early when told to. */
    void learn(BooleanSupplier stop) {
        var names = database.names(Tables.KEYS, "", PAGE);
        names.forEach(filter::add);
        while (names.size() == PAGE && !stop.getAsBoolean()) {
            names = database.names(Tables.KEYS, names.getLast(), PAGE);
            names.forEach(filter::add);
        }
        if (names.size() < PAGE) {
            filter.complete();
        }
    }

    /** Whether there is surely no such key. Called by many threads. */
    boolean isSure(RowRef<?, ?> row) {
        return isFiltered(row) && filter.surelyAbsent(row.key());
    }

    /** Whether there is surely no such row, in the journal neither. Called by the one thread that writes. */
    boolean isSureOfNew(RowRef<?, ?> row) {
        return isFiltered(row)
                ? filter.surelyAbsent(row.key())
                : isPlain(row.key()) && names(row).isNew(row.key());
    }

    /** Called by the one thread that writes. */
    void inserted(List<Write> writes) {
        for (var write : writes) {
            if (write instanceof Write.Insert) {
                note(write.row());
            }
        }
    }

    // Looks at nothing: whoever asks about a place that is not known yet finds the row then.
    private void note(RowRef<?, ?> row) {
        if (isFiltered(row)) {
            filter.add(row.key());
        } else if (isPlain(row.key())) {
            known(row).ifPresent(names -> add(names, row.key()));
        }
    }

    private void add(Names names, String name) {
        noted += names.add(name);
        if (noted > MOST_NAMES) {
            forget();
        }
    }

    private void forget() {
        places.clear();
        last = NOBODY;
        noted = 0;
    }

    private Optional<Names> known(RowRef<?, ?> row) {
        if (!last.place.isOf(row)) {
            var names = places.get(new Place(row.table(), row.owner()));
            if (names == null) {
                return Optional.empty();
            }
            last = names;
        }
        return Optional.of(last);
    }

    private Names names(RowRef<?, ?> row) {
        return known(row).orElseGet(() -> {
            if (places.size() >= MOST_OWNERS) {
                forget();
            }
            var place = new Place(row.table(), row.owner());
            var names = learn(place);
            places.put(place, names);
            last = names;
            return names;
        });
    }

    // The journal's rows before the database's: in between they may go from the one to the other.
    private Names learn(Place place) {
        var journaled = ahead.rows(place::isOf);
        var found = database.read(snapshot -> snapshot.scan(
                Range.keysStartingWith(place.table, place.owner).newestFirst().limit(1)));
        var names = new Names(place, found.isEmpty() ? "" : found.getFirst().key());
        for (var row : journaled) {
            noted += names.add(row.key());
        }
        return names;
    }

    private static boolean isFiltered(RowRef<?, ?> row) {
        return row.table().name().equals(FILTERED);
    }

    // Of such names Java and the database think alike which comes first.
    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 128) {
                return false;
            }
        }
        return true;
    }

    /** What is known of one owner's names: all those behind the floor, the younger half and the older. */
    private static final class Names {

        final Place place;
        private String floor;
        private Set<String> older = new HashSet<>();
        private Set<String> younger = new HashSet<>();
        private String lastOfOlder;
        private String lastOfYounger;
        // Of all that there ever were, those that were forgotten too.
        private String last;

        Names(Place place, String floor) {
            this.place = place;
            this.floor = floor;
            this.lastOfOlder = floor;
            this.lastOfYounger = floor;
            this.last = floor;
        }

        boolean isNew(String name) {
            return name.compareTo(last) > 0
                    || (name.compareTo(floor) > 0 && !younger.contains(name) && !older.contains(name));
        }

        /** How many more of them there are now. */
        int add(String name) {
            if (!isNew(name)) {
                return 0;
            }
            int forgotten = 0;
            if (younger.size() >= MOST_NAMES_OF_ONE / 2) {
                forgotten = older.size();
                floor = later(floor, lastOfOlder);
                older = younger;
                lastOfOlder = lastOfYounger;
                younger = HashSet.newHashSet(MOST_NAMES_OF_ONE / 2);
                lastOfYounger = floor;
            }
            younger.add(name);
            lastOfYounger = later(lastOfYounger, name);
            last = later(last, name);
            return 1 - forgotten;
        }

        private static String later(String one, String other) {
            return one.compareTo(other) < 0 ? other : one;
        }
    }
}
