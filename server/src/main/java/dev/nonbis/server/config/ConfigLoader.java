package dev.nonbis.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the file and the environment into a {@link Config}, or lists everything that is wrong with them. */
public final class ConfigLoader {

    private ConfigLoader() {}

    /** The environment wins over the file, the file over the defaults. */
    public static ConfigResult load(Optional<Path> file, Map<String, String> environment) {
        var written = new Written();
        file.ifPresent(path -> readFile(path, written));
        var fileReadable =
                written.errors().stream().noneMatch(error -> error.entry().isEmpty());
        var ignored = Environment.read(environment, written);
        var config = new Assembly(written, file).config();
        // What a broken file leaves unsaid is not missing: its own error is the one to mend.
        var errors = written.errors().stream()
                .filter(error -> fileReadable || error.entry().isEmpty())
                .toList();
        return errors.isEmpty()
                ? new ConfigResult.Accepted(config, ignored)
                : new ConfigResult.Refused(inOrder(errors));
    }

    private static void readFile(Path file, Written written) {
        var start = new Place.InFile(file, 1, 1);
        try {
            YamlFile.read(file, Files.readString(file), written);
        } catch (CharacterCodingException e) {
            written.error(start, "", "not UTF-8");
        } catch (IOException e) {
            written.error(start, "", "cannot read the file");
        }
    }

    private static List<ConfigError> inOrder(List<ConfigError> errors) {
        var sorted = new ArrayList<>(errors);
        sorted.sort(Comparator.comparingInt((ConfigError error) -> line(error.place()))
                .thenComparingInt(error -> column(error.place())));
        return sorted;
    }

    private static int line(Place place) {
        return place instanceof Place.InFile inFile ? inFile.line() : Integer.MAX_VALUE;
    }

    private static int column(Place place) {
        return place instanceof Place.InFile inFile ? inFile.column() : Integer.MAX_VALUE;
    }
}
