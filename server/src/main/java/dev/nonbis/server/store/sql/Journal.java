package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Write;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What was acknowledged and may not be in the database yet: batch after batch in two files that take turns. A file is written from its
 * start again when all that it holds is in the database, so neither grows for long. Used by one thread at a time.
 */
final class Journal implements AutoCloseable {

    private static final long FULL_FROM_BYTES = 16 << 20;
    // A run is a start of the server, and below that a turn of a file.
    private static final int TURN_BITS = 32;

    private final long base;
    private JournalFile current;
    private JournalFile other;
    private long run;
    private long position;

    /** A batch, and its place in the order of all that there ever were. */
    record Batch(long position, List<Write> writes) {}

    /** The journal is not that of the database. */
    static final class Foreign extends IOException {

        private static final long serialVersionUID = 1L;

        Foreign(String message) {
            super(message);
        }
    }

    /** Something that was acknowledged cannot be read. */
    static final class Damaged extends IOException {

        private static final long serialVersionUID = 1L;

        Damaged(String message) {
            super(message);
        }
    }

    private Journal(SqlBackend.JournalMark mark, JournalFile first, JournalFile second) {
        this.base = mark.base();
        this.position = mark.position();
        this.run = mark.starts() << TURN_BITS;
        this.current = first;
        this.other = second;
    }

    /** Opens the files beside the database, creating them where they are missing. */
    static Journal open(Path database, SqlBackend.JournalMark mark) throws IOException {
        var first = new JournalFile(database.resolveSibling(database.getFileName() + ".journal-1"));
        try {
            var second = new JournalFile(database.resolveSibling(database.getFileName() + ".journal-2"));
            return new Journal(mark, first, second);
        } catch (IOException | RuntimeException | Error e) {
            first.close();
            throw e;
        }
    }

    /**
     * The batches that are not in the database yet, in order. To be asked before the first {@link #append}, which writes over them.
     *
     * @throws Foreign when they do not continue the database
     * @throws Damaged when some of them cannot be read
     */
    List<Batch> unapplied() throws IOException {
        var found = new ArrayList<Batch>();
        var reader = new JournalRecord.Reader();
        found.addAll(current.read(base, position, reader));
        found.addAll(other.read(base, position, reader));
        found.sort(Comparator.comparingLong(Batch::position));
        for (var batch : found) {
            if (batch.position != position + 1) {
                throw new Foreign("it goes on with batch " + batch.position + " where the database needs "
                        + (position + 1) + ": it is damaged, or belongs to another copy of the database");
            }
            position = batch.position;
        }
        return found;
    }

    /** The position of the last batch. */
    long position() {
        return position;
    }

    /**
     * Flushes one more batch to the disk and returns its position.
     *
     * @param applied up to which position the database has everything
     * @throws JournalFile.FlushFailed when the batch may be on the disk or not; after any other failure it is not
     */
    long append(List<Write> writes, long applied) throws IOException {
        if (current.length() >= FULL_FROM_BYTES && applied >= other.lastPosition()) {
            var begun = other;
            other = current;
            current = begun;
            current.begin();
            run++;
        }
        current.append(new JournalFile.Place(base, run, position + 1), writes);
        return ++position;
    }

    /** Removes the files: all that they hold is in the database. */
    void delete() throws IOException {
        close();
        current.delete();
        other.delete();
    }

    @Override
    public void close() throws IOException {
        try {
            current.close();
        } finally {
            other.close();
        }
    }
}
