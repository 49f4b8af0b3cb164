package dev.nonbis.server.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** The tokens of {@code nonbis dev}: made once, kept across starts, readable by its owner alone. */
final class DevKey {

    static final String FILE_NAME = "dev-key";
    static final String APPROVER_FILE_NAME = "dev-approver-key";
    static final Path DEFAULT_FILE = Path.of("nonbis-data", FILE_NAME);
    static final Path APPROVER_FILE = Path.of("nonbis-data", APPROVER_FILE_NAME);

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private DevKey() {}

    /** The directory's token; makes it when there is none. */
    static String in(Path data) throws IOException {
        return in(data, FILE_NAME);
    }

    /** The token of somebody else, because nobody decides about what they asked for. */
    static String ofApproverIn(Path data) throws IOException {
        return in(data, APPROVER_FILE_NAME);
    }

    private static String in(Path data, String name) throws IOException {
        Files.createDirectories(data, OWNER_ONLY);
        var file = data.resolve(name);
        if (!Files.exists(file)) {
            create(file);
        }
        // Whoever came first, the file's content counts.
        return Files.readString(file).strip();
    }

    /** A complete file appears under its name or none does; an existing one is never replaced. */
    private static void create(Path file) throws IOException {
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var draft = Files.createTempFile(file.toAbsolutePath().getParent(), FILE_NAME, ".new", ownerOnly);
        try {
            Files.writeString(draft, newToken() + "\n", StandardCharsets.US_ASCII);
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            // Another process made one in the meantime: use that.
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** A token that nobody can guess. */
    static String newToken() {
        var random = new byte[32];
        new SecureRandom().nextBytes(random);
        return "nbk_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
