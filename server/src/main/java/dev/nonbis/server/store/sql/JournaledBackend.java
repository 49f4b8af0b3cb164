package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Backend;
import dev.nonbis.core.store.Range;
import dev.nonbis.core.store.RowRef;
import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import dev.nonbis.core.store.StoredRow;
import dev.nonbis.core.store.Write;
import dev.nonbis.core.store.Write.Delete;
import dev.nonbis.core.store.Write.Expect;
import dev.nonbis.core.store.Write.Insert;
import dev.nonbis.core.store.Write.Update;
import dev.nonbis.core.store.WriteConflict;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A database that follows its journal: writes are checked, flushed to the journal and kept in memory, and reach the database many
 * batches at a time. Single rows are read where they are newest; whoever reads more waits until the database has all that was
 * acknowledged before.
 */
final class JournaledBackend implements Backend {

    private static final Logger LOG = System.getLogger(JournaledBackend.class.getName());

    private final SqlBackend database;
    private final Journal journal;
    private final Ahead ahead = new Ahead();
    private final Absence absence;
    private final Follower follower;
    private volatile boolean closing;

    JournaledBackend(SqlBackend database, Journal journal) {
        this.database = database;
        this.journal = journal;
        this.absence = new Absence(database, ahead);
        Thread.ofVirtual().name("nonbis-presence").start(this::learnKeys);
        this.follower = new Follower(database, ahead, journal.position());
    }

    private void learnKeys() {
        try {
            absence.learn(() -> closing);
        } catch (StoreUnavailable unavailable) {
            // Every look goes to the disk then, which is slower and no less right.
            LOG.log(Level.WARNING, "cannot read which keys there are", unavailable);
        }
    }

    @Override
    public Map<RowRef<?, ?>, StoredRow> fetch(Collection<RowRef<?, ?>> rows) {
        database.refuseIfStopped();
        var found = new HashMap<RowRef<?, ?>, StoredRow>();
        var rest = new ArrayList<RowRef<?, ?>>();
        for (var row : rows) {
            var newest = ahead.get(row);
            if (newest == null) {
                if (!absence.isSure(row)) {
                    rest.add(row);
                }
            } else {
                newest.row().ifPresent(stored -> found.put(row, stored));
            }
        }
        if (!rest.isEmpty()) {
            found.putAll(database.fetch(rest));
        }
        return found;
    }

    @Override
    public Optional<StoredRow> get(RowRef<?, ?> row) {
        database.refuseIfStopped();
        if (absence.isSure(row)) {
            return Optional.empty();
        }
        var newest = ahead.get(row);
        return newest == null ? database.get(row) : newest.row();
    }

    @Override
    public void apply(List<Write> writes) {
        database.refuseIfStopped();
        follower.makeRoom();
        check(writes);
        if (writes.stream().allMatch(Expect.class::isInstance)) {
            return;
        }
        take(new Journal.Batch(append(writes), writes));
    }

    // It is on the disk: should any of this fail, only a restart can make it true.
    private void take(Journal.Batch batch) {
        try {
            ahead.put(batch.position(), batch.writes());
            absence.inserted(batch.writes());
            follower.follow(batch);
        } catch (RuntimeException | Error broken) {
            database.stop(broken);
            throw new StoreUnavailable(
                    Fate.UNKNOWN, Cause.FAILED, "what the journal has cannot be followed: " + broken, broken);
        }
    }

    private long append(List<Write> writes) {
        try {
            return journal.append(writes, follower.applied());
        } catch (JournalFile.FlushFailed e) {
            database.stop(e);
            throw new StoreUnavailable(Fate.UNKNOWN, Cause.FAILED, String.valueOf(e.getMessage()), e);
        } catch (JournalFile.Full e) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FULL, "no space is left for the journal", e);
        } catch (IOException e) {
            throw new StoreUnavailable(
                    Fate.DID_NOT_HAPPEN, Cause.FAILED, "cannot write the journal: " + e.getMessage(), e);
        }
    }

    /** Nobody else writes to the database, so what holds now holds when the writes get there. */
    private void check(List<Write> writes) {
        var unknown = new ArrayList<Write>();
        for (var write : writes) {
            if (write instanceof Insert && absence.isSureOfNew(write.row())) {
                continue;
            }
            var newest = ahead.get(write.row());
            if (newest != null) {
                expect(write, newest.row());
            } else {
                unknown.add(write);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        var found =
                database.fetch(unknown.stream().<RowRef<?, ?>>map(Write::row).toList());
        for (var write : unknown) {
            expect(write, Optional.ofNullable(found.get(write.row())));
        }
    }

    private static void expect(Write write, Optional<StoredRow> found) {
        long expected = switch (write) {
            case Insert insert -> 0;
            case Update update -> update.readVersion();
            case Delete delete -> delete.readVersion();
            case Expect expect -> expect.readVersion();
        };
        if (expected != found.map(StoredRow::version).orElse(0L)) {
            throw new WriteConflict("not as it was read: " + write.row());
        }
    }

    @Override
    public <R> R read(Function<Snapshot, R> block) {
        if (follower.catchUp()) {
            return database.read(block);
        }
        // Before the database is looked at: in between rows may go from the journal's to it.
        var journaled = ahead.rows();
        return database.read(snapshot -> block.apply(new Behind(snapshot, journaled)));
    }

    /** What there is to see while the database takes nothing: ranges as it has them, single rows as they were acknowledged. */
    private record Behind(Snapshot snapshot, Map<RowRef<?, ?>, Ahead.Newest> journaled) implements Snapshot {

        @Override
        public Optional<StoredRow> get(RowRef<?, ?> row) {
            var newest = journaled.get(row);
            return newest == null ? snapshot.get(row) : newest.row();
        }

        @Override
        public List<Range.Hit<StoredRow>> scan(Range<?> range) {
            return snapshot.scan(range);
        }
    }

    @Override
    public void close() {
        closing = true;
        follower.close();
        try {
            if (follower.isDone()) {
                journal.delete();
            } else {
                journal.close();
            }
        } catch (IOException e) {
            throw new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, "cannot close the journal", e);
        } finally {
            database.close();
        }
    }
}
