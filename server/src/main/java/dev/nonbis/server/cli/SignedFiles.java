package dev.nonbis.server.cli;

import dev.nonbis.core.signing.PublicKeys;
import dev.nonbis.json.Json;
import dev.nonbis.json.JsonObject;
import dev.nonbis.json.JsonRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that the server signed, and the keys to check them with. */
final class SignedFiles {

    private final Terminal terminal;

    SignedFiles(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A JWK set with at least one key that can check. */
    PublicKeys keys(String name) {
        return PublicKeys.ofJwkSet(object(name))
                .filter(keys -> !keys.keys().isEmpty())
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.USAGE,
                        name + " has no Ed25519 keys",
                        "give a copy of the server's /.well-known/nonbis-keys.json"));
    }

    /** The object in a file, or on standard input for {@code -}. */
    JsonObject object(String name) {
        try {
            byte[] bytes = name.equals("-")
                    ? terminal.streams().in().readAllBytes()
                    : Files.readAllBytes(terminal.directory().resolve(Path.of(name)));
            if (Json.parse(bytes) instanceof JsonObject object) {
                return object;
            }
            throw notObject(name, "not an object");
        } catch (JsonRefused e) {
            throw notObject(name, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailed(ExitCode.USAGE, "cannot read " + name, "check its path and permissions");
        }
    }

    private static CommandFailed notObject(String name, String why) {
        return new CommandFailed(
                ExitCode.ERROR, name + " cannot be used: " + why, "give the file as the server made it");
    }
}
