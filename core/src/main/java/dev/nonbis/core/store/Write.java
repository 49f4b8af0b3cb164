package dev.nonbis.core.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One change to one row, with what must hold for it to be applied. */
public sealed interface Write {

    RowRef<?, ?> row();

    /** The row must not exist. */
    record Insert(RowRef<?, ?> row, byte[] body, Entries added) implements Write {}

    /**
     * The row must have the version that was read.
     *
     * @param moved which of its index entries come and go; those in neither set stay
     */
    record Update(RowRef<?, ?> row, long readVersion, byte[] body, Move moved) implements Write {}

    /** The row must have the version that was read. */
    record Delete(RowRef<?, ?> row, long readVersion, Entries removed) implements Write {}

    /**
     * The row must be as it was read, and stays so; a reader decided something by it.
     *
     * @param readVersion zero when there was no row
     */
    record Expect(RowRef<?, ?> row, long readVersion) implements Write {}

    /** Index entries of one row, one set for each index of its table, in the table's order. */
    record Entries(List<Set<String>> byIndex) {

        /** The entry in an index in which a row stands once at most. */
        public Optional<String> one(int index) {
            var texts = byIndex.get(index);
            return texts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(texts.iterator().next());
        }
    }

    /** Where a row stood and where it stands. */
    record Move(Entries from, Entries to) {

        /** Whether it stands elsewhere in this index. */
        public boolean concerns(int index) {
            return !from.byIndex.get(index).equals(to.byIndex.get(index));
        }

        public Entries removed() {
            return minus(from, to);
        }

        public Entries added() {
            return minus(to, from);
        }

        private static Entries minus(Entries some, Entries others) {
            var left = new ArrayList<Set<String>>(some.byIndex.size());
            for (int i = 0; i < some.byIndex.size(); i++) {
                var set = new HashSet<>(some.byIndex.get(i));
                set.removeAll(others.byIndex.get(i));
                left.add(set);
            }
            return new Entries(left);
        }
    }
}
