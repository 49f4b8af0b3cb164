package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.WriteConflict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Some of the rows that stand under one text, in their order: those from the low end on, up to where the next chunk begins. The first chunk of a
 * text begins with the empty text, so that every row has its chunk, and stays when nothing is left in it: a text that has none is new.
 */
record PostingsChunk(String entry, String low, List<String> ids) {

    /** With usual names such a chunk takes some 800 bytes; above 2,000 SQLite would give each a page of its own. */
    static final int MOST_IDS = 32;

    /** The low end of the first chunk of every text. */
    static final String FIRST = "";

    /** The first chunk of a text under which nothing stands yet. */
    static PostingsChunk firstOf(String entry) {
        return new PostingsChunk(entry, FIRST, List.of());
    }

    /**
     * What becomes of it, in as many chunks as are needed, or none.
     *
     * @throws WriteConflict when something comes that is there, or goes that is not
     */
    List<PostingsChunk> changed(List<String> added, List<String> removed) {
        var kept = without(removed);
        boolean behind =
                kept.isEmpty() || added.isEmpty() || TextOrder.OF_BYTES.compare(kept.getLast(), added.getFirst()) < 0;
        return cut(merged(kept, added), behind);
    }

    private List<String> without(List<String> removed) {
        if (removed.isEmpty()) {
            return ids;
        }
        var kept = new ArrayList<>(ids);
        kept.removeAll(new HashSet<>(removed));
        if (kept.size() != ids.size() - removed.size()) {
            throw new WriteConflict("not all that goes stood under " + entry);
        }
        return kept;
    }

    private List<String> merged(List<String> kept, List<String> added) {
        var all = new ArrayList<String>(kept.size() + added.size());
        int next = 0;
        for (var id : added) {
            while (next < kept.size() && TextOrder.OF_BYTES.compare(kept.get(next), id) < 0) {
                all.add(kept.get(next++));
            }
            all.add(id);
        }
        all.addAll(kept.subList(next, kept.size()));
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).equals(all.get(i - 1))) {
                throw new WriteConflict(all.get(i) + " stands under " + entry + " already");
            }
        }
        return all;
    }

    // Most come behind all others, and what is behind them is left full. Elsewhere more may follow, so there is room on
    // both sides.
    private List<PostingsChunk> cut(List<String> all, boolean full) {
        if (all.isEmpty()) {
            return low.equals(FIRST) ? List.of(new PostingsChunk(entry, FIRST, all)) : List.of();
        }
        int count = Math.ceilDiv(all.size(), MOST_IDS);
        var chunks = new ArrayList<PostingsChunk>(count);
        for (int i = 0; i < count; i++) {
            int from = full ? i * MOST_IDS : i * all.size() / count;
            int to = full ? Math.min(from + MOST_IDS, all.size()) : (i + 1) * all.size() / count;
            chunks.add(new PostingsChunk(entry, i == 0 ? low : all.get(from), all.subList(from, to)));
        }
        return chunks;
    }

    /** The ids as the database has them: what all begin with, then of each the rest, with separators between. */
    String text() {
        if (ids.isEmpty()) {
            return "";
        }
        var beginning = TextOrder.beginning(ids.getFirst(), ids.getLast());
        var text = new StringBuilder(beginning);
        for (var id : ids) {
            text.append(Range.SEPARATOR).append(id, beginning.length(), id.length());
        }
        return text.toString();
    }

    static List<String> ids(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        int at = text.indexOf(Range.SEPARATOR);
        var beginning = text.substring(0, at);
        var ids = new ArrayList<String>(MOST_IDS);
        while (at >= 0) {
            int next = text.indexOf(Range.SEPARATOR, at + 1);
            ids.add(beginning.concat(text.substring(at + 1, next < 0 ? text.length() : next)));
            at = next;
        }
        return ids;
    }
}
