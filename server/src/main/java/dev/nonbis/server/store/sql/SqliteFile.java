package dev.nonbis.server.store.sql;

import dev.nonbis.core.store.StoreUnavailable;
import dev.nonbis.core.store.StoreUnavailable.Cause;
import dev.nonbis.core.store.StoreUnavailable.Fate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A database file that is ours alone: its directory exists, and a lock beside it keeps a second server away. */
final class SqliteFile implements AutoCloseable {

    private static final String LIBRARY_DIRECTORY_PROPERTY = "org.sqlite.tmpdir";

    // Closing any channel on a file drops every lock that this process has on it, so a second channel must never be
    // opened.
    private static final Set<Path> OPEN_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel lockChannel;

    private SqliteFile(Path file, FileChannel lockChannel) {
        this.file = file;
        this.lockChannel = lockChannel;
    }

    static SqliteFile claim(Path path) {
        var file = path.toAbsolutePath().normalize();
        try {
            createDirectory(directoryOf(file));
            file = directoryOf(file).toRealPath().resolve(file.getFileName());
            if (!OPEN_HERE.add(file)) {
                throw refused("this process has the database open already: " + file, null);
            }
            return locked(file);
        } catch (IOException e) {
            throw refused("cannot use " + file + " for the database: " + e, e);
        }
    }

    private static SqliteFile locked(Path file) throws IOException {
        SqliteFile claimed;
        try {
            claimed = new SqliteFile(file, lock(file));
        } catch (IOException | RuntimeException e) {
            OPEN_HERE.remove(file);
            throw e;
        }
        try {
            prepareLibraryDirectory(directoryOf(file).resolve("native"));
            return claimed;
        } catch (IOException | RuntimeException e) {
            claimed.close();
            throw e;
        }
    }

    Path path() {
        return file;
    }

    /** Whether nothing was ever written to it. */
    boolean isEmpty() {
        try {
            return Files.size(file) == 0;
        } catch (IOException e) {
            throw refused("cannot read the size of " + file, e);
        }
    }

    /** Makes the names of files that were created just now as durable as their content. */
    void flushDirectory() {
        try {
            flush(directoryOf(file));
        } catch (IOException e) {
            throw refused("cannot flush the directory of " + file, e);
        }
    }

    @Override
    public void close() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            throw new IllegalStateException("cannot release the lock of " + file, e);
        } finally {
            OPEN_HERE.remove(file);
        }
    }

    private static FileChannel lock(Path file) throws IOException {
        var lockFile = file.resolveSibling(file.getFileName() + ".lock");
        createPrivate(lockFile);
        // SQLite gives its log and its index the mode of the database.
        createPrivate(file);
        var channel = FileChannel.open(lockFile, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            var holder = Files.readString(lockFile, StandardCharsets.US_ASCII).strip();
            channel.close();
            throw refused("another server (process " + holder + ") has the database open: " + file, null);
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
        return channel;
    }

    private static void createPrivate(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            // Its owner has decided who may read it.
        }
    }

    private static void createDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        flush(directoryOf(directory));
    }

    // The driver unpacks its library at each start and leaves it behind when the process is killed. The lock says that
    // nobody else
    // uses this directory, so whatever is in it is left over.
    private static void prepareLibraryDirectory(Path directory) throws IOException {
        if (System.getProperty(LIBRARY_DIRECTORY_PROPERTY) != null) {
            return;
        }
        createDirectory(directory);
        try (var leftovers = Files.newDirectoryStream(directory, "sqlite-*")) {
            for (var leftover : leftovers) {
                Files.deleteIfExists(leftover);
            }
        }
        System.setProperty(LIBRARY_DIRECTORY_PROPERTY, directory.toString());
    }

    private static void flush(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path directoryOf(Path file) {
        var parent = file.getParent();
        if (parent == null) {
            throw refused("not the path of a file: " + file, null);
        }
        return parent;
    }

    private static StoreUnavailable refused(String message, @Nullable Throwable cause) {
        var refused = new StoreUnavailable(Fate.DID_NOT_HAPPEN, Cause.FAILED, message);
        if (cause != null) {
            refused.initCause(cause);
        }
        return refused;
    }
}
