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
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * One file of a journal: records one behind the other, each flushed by itself.
 *
 * <pre>
 *   record: magic, length of the writes, checksum of all that follows, base, run, position, the writes
 * </pre>
 *
 * <p>The base says which database the records belong to. The run says since when the file is written from its start: what is left of an
 * older run ends the reading. So does a record that was not written whole: nobody was told of it.
 */
final class JournalFile implements AutoCloseable {

    private static final int MAGIC = 0x6e6f6e31;
    private static final int AT_LENGTH = 4;
    private static final int AT_CHECKSUM = 8;
    private static final int AT_BASE = 12;
    private static final int AT_RUN = 20;
    private static final int AT_POSITION = 28;
    private static final int HEAD_BYTES = 36;

    private final Path path;
    private final FileChannel channel;
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
    void append(Place place, List<Write> writes, JournalBuffer buffer) throws IOException {
        buffer.begin(HEAD_BYTES);
        JournalRecord.encode(writes, buffer);
        buffer.setInt(0, MAGIC);
        buffer.setInt(AT_LENGTH, buffer.length() - HEAD_BYTES);
        buffer.setLong(AT_BASE, place.base);
        buffer.setLong(AT_RUN, place.run);
        buffer.setLong(AT_POSITION, place.position);
        buffer.setInt(AT_CHECKSUM, checksum(buffer.content()));
        try {
            write(buffer.content());
        } catch (IOException e) {
            throw isFull(e, buffer.length()) ? new Full(e) : e;
        }
        try {
            channel.force(false);
        } catch (IOException e) {
            throw new FlushFailed(e);
        }
        end += buffer.length();
        lastPosition = place.position;
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes, end + bytes.position());
        }
    }

    // Java tells the system's errors in words only, and in those of the user's language.
    private boolean isFull(IOException error, int neededBytes) throws IOException {
        return String.valueOf(error.getMessage()).contains("No space left")
                || Files.getFileStore(path).getUsableSpace() < neededBytes;
    }

    /**
     * The batches of the file's last run that come behind this position.
     *
     * @throws Journal.Foreign when they belong to another database
     */
    List<Journal.Batch> read(long base, long behind, JournalRecord.Reader reader) throws IOException {
        var batches = new ArrayList<Journal.Batch>();
        long at = 0;
        var before = Optional.<Place>empty();
        while (true) {
            var record = recordAt(at);
            if (record.isEmpty()) {
                return batches;
            }
            var place = place(record.get());
            if (place.base != base) {
                throw new Journal.Foreign("it belongs to another database");
            }
            if (before.isPresent() && !before.get().isFollowedBy(place)) {
                return batches;
            }
            before = Optional.of(place);
            at += record.get().limit();
            if (place.position > behind) {
                var writes = reader.decode(record.get().position(HEAD_BYTES));
                batches.add(new Journal.Batch(place.position, writes));
            }
        }
    }

    private Optional<ByteBuffer> recordAt(long at) throws IOException {
        var head = readAt(at, HEAD_BYTES).filter(bytes -> bytes.getInt(0) == MAGIC);
        if (head.isEmpty()) {
            return Optional.empty();
        }
        int length = head.get().getInt(AT_LENGTH);
        if (length < 0 || length > channel.size() - at - HEAD_BYTES) {
            return Optional.empty();
        }
        return readAt(at, HEAD_BYTES + length).filter(record -> checksum(record) == record.getInt(AT_CHECKSUM));
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

    private static Place place(ByteBuffer record) {
        return new Place(record.getLong(AT_BASE), record.getLong(AT_RUN), record.getLong(AT_POSITION));
    }

    private static int checksum(ByteBuffer record) {
        var sum = new CRC32C();
        sum.update(record.duplicate().position(AT_BASE));
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
