package dev.nonbis.server.signing;

import dev.nonbis.core.signing.KeyRing;
import dev.nonbis.core.signing.PublicKey;
import dev.nonbis.core.signing.SigningKey;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonArray;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import dev.nonbis.json.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** A JWK set with private keys, the newest first. The first signs; of the others the public half is enough. */
public final class SigningKeyFile {

    /** The name that the file has beside the store when nothing else is configured. */
    public static final String NAME = "signing-keys.json";

    private final Path file;

    public SigningKeyFile(Path file) {
        this.file = file;
    }

    /** The file cannot be used; the message says why. */
    public static final class Unusable extends Exception {

        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message);
        }

        public String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** The keys in the file, which is made when there is none. */
    public KeyRing open() throws Unusable {
        try {
            if (!Files.exists(file)) {
                create(SigningKey.generate());
            }
            // Whoever came first, the file's content counts.
            checkOwnerOnly();
            return ring(jwks());
        } catch (IOException e) {
            throw new Unusable("cannot read or make " + file + ": " + e.getMessage());
        }
    }

    /** Puts a new key in front. The one before signs no more, so that its private half goes; its public half stays to check. */
    public PublicKey rotate() throws Unusable {
        open();
        var newest = SigningKey.generate();
        try {
            var keys = new ArrayList<JsonValue>();
            keys.add(newest.toPrivateJwk());
            for (var jwk : jwks()) {
                PublicKey.ofJwk(jwk).ifPresent(key -> keys.add(key.toJwk()));
            }
            var draft = draft(keys);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            flushDirectory();
        } catch (IOException e) {
            throw new Unusable("cannot write " + file + ": " + e.getMessage());
        }
        return newest.publicKey();
    }

    private KeyRing ring(List<JsonObject> jwks) throws Unusable {
        if (jwks.isEmpty()) {
            throw new Unusable(file + " has no keys");
        }
        var newest = SigningKey.ofJwk(jwks.getFirst(), QuickSigner::new);
        if (newest.isEmpty()) {
            throw new Unusable("the first key of " + file + " is not an Ed25519 key with both halves");
        }
        var retired = new ArrayList<PublicKey>();
        for (var jwk : jwks.subList(1, jwks.size())) {
            var key = PublicKey.ofJwk(jwk);
            if (key.isEmpty()) {
                throw new Unusable(file + " has a key that is not an Ed25519 key");
            }
            retired.add(key.get());
        }
        return new KeyRing(newest.get(), retired);
    }

    private List<JsonObject> jwks() throws IOException, Unusable {
        try {
            var keys = new ArrayList<JsonObject>();
            if (Json.parse(Files.readAllBytes(file)) instanceof JsonObject set
                    && set.array("keys").isPresent()) {
                for (var item : set.array("keys").get().items()) {
                    keys.add(item instanceof JsonObject jwk ? jwk : JsonObject.EMPTY);
                }
                return keys;
            }
        } catch (JsonRefused e) {
            // Answered like JSON of another shape, and never with what stands there.
        }
        throw new Unusable(file + " is not a JWK set");
    }

    /** A complete file appears under its name or none does; an existing one is never replaced. */
    private void create(SigningKey key) throws IOException {
        Files.createDirectories(directory());
        var draft = draft(List.of(key.toPrivateJwk()));
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            // Another process made one in the meantime: use that.
        } finally {
            Files.deleteIfExists(draft);
        }
        flushDirectory();
    }

    // A power cut may take a name away that its directory was not flushed after.
    private void flushDirectory() throws IOException {
        try (var channel = FileChannel.open(directory(), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private Path draft(List<JsonValue> keys) throws IOException {
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var draft = Files.createTempFile(directory(), NAME, ".new", ownerOnly);
        var set = JsonObject.builder().put("keys", new JsonArray(keys)).build();
        try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(Json.write(set)));
            // A receipt signed with a key that a power cut took away could never be checked.
            channel.force(true);
        }
        return draft;
    }

    private void checkOwnerOnly() throws IOException, Unusable {
        var others = EnumSet.of(
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.GROUP_WRITE,
                PosixFilePermission.OTHERS_READ,
                PosixFilePermission.OTHERS_WRITE);
        others.retainAll(Files.getPosixFilePermissions(file));
        if (!others.isEmpty()) {
            throw new Unusable(file + " can be read or written by others than its owner: chmod 600 it");
        }
    }

    private Path directory() {
        var parent = file.toAbsolutePath().getParent();
        return parent == null ? Path.of("/") : parent;
    }
}
