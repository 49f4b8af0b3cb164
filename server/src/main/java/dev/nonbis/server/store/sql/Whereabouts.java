package dev.nonbis.server.store.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Where rows lie in their table, by their names' hashes: whoever goes there is spared the search among the names, which is half of what
 * it takes to find a row that was not used for long. What it says may be wrong or missing, so the name is looked at there.
 */
final class Whereabouts {

    // Sixteen MiB: where there are more rows than that, those that came last are known.
    private static final int BUCKET_BITS = 19;
    private static final int BUCKET_SIZE = 4;
    private static final int PLACE_BITS = 40;
    private static final long PLACES = 1L << PLACE_BITS;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] places = new long[BUCKET_SIZE << BUCKET_BITS];

    /** Notes the place of a row; places are counted from one. What threads overwrite for each other is unknown again. */
    void put(String name, long place) {
        if (place <= 0 || place >= PLACES) {
            return;
        }
        long hash = Presence.hash(name);
        int first = bucket(hash);
        for (int i = first + BUCKET_SIZE - 1; i > first; i--) {
            PLACE.setOpaque(places, i, (long) PLACE.getOpaque(places, i - 1));
        }
        PLACE.setOpaque(places, first, mark(hash) | place);
    }

    /** Where the row may lie; zero when that is not known. */
    long get(String name) {
        long hash = Presence.hash(name);
        int first = bucket(hash);
        for (int i = first; i < first + BUCKET_SIZE; i++) {
            long found = (long) PLACE.getOpaque(places, i);
            if (found != 0 && (found & -PLACES) == mark(hash)) {
                return found & (PLACES - 1);
            }
        }
        return 0;
    }

    private static int bucket(long hash) {
        return (int) (hash >>> (Long.SIZE - BUCKET_BITS)) * BUCKET_SIZE;
    }

    private static long mark(long hash) {
        return hash << PLACE_BITS;
    }
}
