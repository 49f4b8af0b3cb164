package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoredRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;

/** A range over postings: as many chunks as its limit takes, and then their rows. */
final class PostingsScan {

    private static final int FIRST_ROWS = 2;

    private final Postings postings;
    private final Range<?> range;
    private final boolean continued;
    private final String afterEntry;
    private final String afterId;
    private final List<Found> found = new ArrayList<>();

    private record Found(String entry, String id) {}

    PostingsScan(Postings postings, Range<?> range) {
        this.postings = postings;
        this.range = range;
        var after = range.after().map(SqlScan::split).filter(position -> SqlScan.beyondStart(range, position[0]));
        continued = after.isPresent();
        afterEntry = continued ? after.get()[0] : "";
        afterId = continued ? after.get()[1] : "";
    }

    List<Range.Hit<StoredRow>> run(SqlSession session, SqlTable table) throws SQLException {
        collect(session);
        var hits = new ArrayList<Range.Hit<StoredRow>>(found.size());
        long bytes = 0;
        while (hits.size() < found.size() && bytes < range.bytes()) {
            int end = (int) Math.min(found.size(), hits.size() + atOnce(hits.size(), bytes));
            for (var hit : fetch(session, table, found.subList(hits.size(), end))) {
                if (bytes < range.bytes()) {
                    hits.add(hit);
                    bytes += hit.bytes();
                }
            }
        }
        return hits;
    }

    // As many as probably fit, judged by those before them.
    private long atOnce(int rows, long bytes) {
        if (range.bytes() == Integer.MAX_VALUE) {
            return found.size();
        }
        return bytes == 0 ? FIRST_ROWS : Math.max(1, (range.bytes() - bytes) * rows / bytes);
    }

    private List<Range.Hit<StoredRow>> fetch(SqlSession session, SqlTable table, List<Found> some) throws SQLException {
        var wanted = new LinkedHashSet<RowRef<?, ?>>();
        some.forEach(one -> wanted.add(row(one)));
        var rows = new HashMap<RowRef<?, ?>, StoredRow>();
        table.fetch(session, List.copyOf(wanted), rows);
        var hits = new ArrayList<Range.Hit<StoredRow>>(some.size());
        for (var one : some) {
            var row = rows.get(row(one));
            if (row == null) {
                throw new IllegalStateException("what stands in an index is there: " + one);
            }
            hits.add(Range.Hit.of(Range.position(one.entry, one.id), row));
        }
        return hits;
    }

    private RowRef<?, ?> row(Found one) {
        return new RowRef<>(range.table(), one.id);
    }

    // The statement goes on only as long as it is asked to.
    private void collect(SqlSession session) throws SQLException {
        var statement = session.prepare(sql());
        bind(statement);
        try (var chunks = statement.executeQuery()) {
            while (found.size() < range.limit() && chunks.next()) {
                var entry = chunks.getString(1);
                var ids = PostingsChunk.ids(chunks.getString(2));
                for (var id : range.descending() ? ids.reversed() : ids) {
                    if (found.size() < range.limit() && isBehind(entry, id)) {
                        found.add(new Found(entry, id));
                    }
                }
            }
        }
    }

    private boolean isBehind(String entry, String id) {
        if (!continued || !entry.equals(afterEntry)) {
            return true;
        }
        int order = TextOrder.OF_BYTES.compare(id, afterId);
        return range.descending() ? order < 0 : order > 0;
    }

    /** The statement that gives the chunks. */
    String sql() {
        var low = "entry >= ?";
        var high = "entry < ?";
        if (continued && range.descending()) {
            high = "(entry, low) < (?, ?)";
        } else if (continued) {
            low = "(entry, low) >= (?, ifnull((SELECT max(low) FROM " + postings.table
                    + " WHERE entry = ? AND low <= ?), ''))";
        }
        return "SELECT entry, ids FROM " + postings.table + " WHERE " + low + " AND " + high + " ORDER BY "
                + (range.descending() ? "entry DESC, low DESC" : "entry, low");
    }

    private void bind(PreparedStatement statement) throws SQLException {
        int next = 1;
        if (continued && !range.descending()) {
            statement.setString(next++, afterEntry);
            statement.setString(next++, afterEntry);
            statement.setString(next++, afterId);
        } else {
            statement.setString(next++, range.low());
        }
        if (continued && range.descending()) {
            statement.setString(next++, afterEntry);
            statement.setString(next, afterId);
        } else {
            statement.setString(next, range.high());
        }
    }
}
