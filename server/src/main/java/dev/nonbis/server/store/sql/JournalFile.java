package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * One file of a journal: records one behind the other, each flushed by itself.
 *
 * <pre>
 *   record: magic, its length, checksum of all that follows, base, run, position, the writes
 * </pre>
 *
 * <p>The base says which database the records belong to. The run says since when the file is written from its start: what is left of an
 * older run ends the reading. So does a record that was not written whole: nobody was told of it. Each is flushed before the next is
 * begun, so that a whole one behind it shows that it was damaged later.
 */
final class JournalFile implements AutoCloseable {

    private static final int AT_BASE = JournalOutput.AT_CONTENT;
    private static final int AT_RUN = AT_BASE + Long.BYTES;
    private static final int AT_POSITION = AT_RUN + Long.BYTES;
    private static final int HEAD_BYTES = AT_POSITION + Long.BYTES;
    private static final long LITTLE_SPACE_BYTES = 1 << 20;
    private static final int SEARCHED_AT_ONCE_BYTES = 1 << 20;

    private final Path path;
    private final FileChannel channel;
    private final JournalOutput output;
    private long end;
    private long lastPosition;

    /** Where a record belongs. */
    record Place(long base, long run, long position) {

        boolean isFollowedBy(Place other) {
            return other.equals(new Place(base, run, position + 1));
        }
    }

    /** No space is left for a record. */
    static final class Full extends IOException {

        private static final long serialVersionUID = 1L;

        Full(IOException cause) {
            super(cause);
        }
    }

    /** The flush of a record failed, so that nobody knows what is on the disk. */
    static final class FlushFailed extends IOException {

        private static final long serialVersionUID = 1L;

        FlushFailed(IOException cause) {
            super("cannot flush the journal: " + cause.getMessage(), cause);
        }
    }

    JournalFile(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        this.output = new JournalOutput(channel);
    }

    /** How much was written since it was begun. */
    long length() {
        return end;
    }

    /** The highest position in it, of all that was written since it was opened. */
    long lastPosition() {
        return lastPosition;
    }

    /** Writes from the start again. */
    void begin() {
        end = 0;
    }

    /**
     * Flushes a record to the disk.
     *
     * @throws FlushFailed when the record may be on the disk or not; after any other failure it is not
     */
    void append(Place place, List<Write> writes) throws IOException {
        int length = write(place, writes);
        try {
            channel.force(false);
        } catch (IOException e) {
            throw new FlushFailed(e);
        }
        end += length;
        lastPosition = place.position;
    }

    private int write(Place place, List<Write> writes) throws IOException {
        try {
            output.begin(end);
            output.putLong(place.base);
            output.putLong(place.run);
            output.putLong(place.position);
            JournalRecord.encode(writes, output);
            return output.end();
        } catch (IOException e) {
            throw isFull(e) ? new Full(e) : e;
        }
    }

    // Java tells the system's errors in words only, and in those of the user's language.
    private boolean isFull(IOException error) throws IOException {
        return String.valueOf(error.getMessage()).contains("No space left")
                || Files.getFileStore(path).getUsableSpace() < LITTLE_SPACE_BYTES;
    }

    /**
     * The batches of the file's last run that come behind this position.
     *
     * @throws Journal.Foreign when they belong to another database
     * @throws Journal.Damaged when some of them cannot be read
     */
    List<Journal.Batch> read(long base, long behind, JournalRecord.Reader reader) throws IOException {
        var batches = new ArrayList<Journal.Batch>();
        long reached = behind;
        long at = 0;
        var before = Optional.<Place>empty();
        while (true) {
            var record = recordAt(at);
            if (record.isEmpty() || !continues(before, place(record.get(), 0), base)) {
                var next = nextBehind(at, base, reached);
                if (next.isEmpty()) {
                    return batches;
                }
                // What cannot be read before it is in the database.
                at = next.getAsLong();
                before = Optional.empty();
                continue;
            }
            var place = place(record.get(), 0);
            before = Optional.of(place);
            at += record.get().limit();
            if (place.position > behind) {
                var writes = reader.decode(record.get().position(HEAD_BYTES));
                batches.add(new Journal.Batch(place.position, writes));
                reached = place.position;
            }
        }
    }

    private static boolean continues(Optional<Place> before, Place place, long base) throws Journal.Foreign {
        if (place.base != base) {
            throw new Journal.Foreign("it belongs to another database");
        }
        return before.isEmpty() || before.get().isFollowedBy(place);
    }

    /**
     * Where the record stands that follows what was reached. What an older run has left is all in the database, so that no record of it is
     * taken for one.
     *
     * @throws Journal.Damaged when a later one stands where it should
     */
    private OptionalLong nextBehind(long end, long base, long reached) throws IOException {
        long size = channel.size();
        for (long from = end; from + HEAD_BYTES <= size; from += SEARCHED_AT_ONCE_BYTES) {
            // A head may lie across the end of what is searched at once.
            int length = (int) Math.min(size - from, SEARCHED_AT_ONCE_BYTES + HEAD_BYTES - 1L);
            var bytes = readAt(from, length).orElseThrow(() -> new IOException("it became shorter while it was read"));
            for (int i = 0; i + HEAD_BYTES <= length; i++) {
                if (bytes.getInt(i) != JournalOutput.MAGIC) {
                    continue;
                }
                var place = place(bytes, i);
                if (place.base == base
                        && place.position > reached
                        && recordAt(from + i).isPresent()) {
                    refuseUnless(place.position == reached + 1, place, end);
                    return OptionalLong.of(from + i);
                }
            }
        }
        return OptionalLong.empty();
    }

    private void refuseUnless(boolean follows, Place place, long end) throws Journal.Damaged {
        if (!follows) {
            throw new Journal.Damaged(path.getFileName() + " cannot be read at byte " + end + ", and batch "
                    + place.position + ", which was written later, stands behind that");
        }
    }

    private Optional<ByteBuffer> recordAt(long at) throws IOException {
        var head = readAt(at, HEAD_BYTES).filter(bytes -> bytes.getInt(0) == JournalOutput.MAGIC);
        if (head.isEmpty()) {
            return Optional.empty();
        }
        int length = head.get().getInt(JournalOutput.AT_LENGTH);
        if (length < HEAD_BYTES || length > channel.size() - at) {
            return Optional.empty();
        }
        return readAt(at, length).filter(record -> checksum(record) == record.getInt(JournalOutput.AT_CHECKSUM));
    }

    private Optional<ByteBuffer> readAt(long at, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, at + bytes.position()) < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(bytes.rewind());
    }

    private static Place place(ByteBuffer bytes, int at) {
        return new Place(bytes.getLong(at + AT_BASE), bytes.getLong(at + AT_RUN), bytes.getLong(at + AT_POSITION));
    }

    private static int checksum(ByteBuffer record) {
        var sum = new CRC32C();
        sum.update(record.duplicate().position(JournalOutput.AT_CONTENT));
        return (int) sum.getValue();
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
